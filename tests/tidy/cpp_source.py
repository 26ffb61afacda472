"""A C++ file as the rules see it: its lines, its code without comments and strings, its functions."""
import bisect
import re

TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | (?<!\w)(?:u8|[uUL])?R"(?P<fence>[^()\\\s]*)\((?P<raw>.*?)\)(?P=fence)"
      | (?<!\w)(?:u8|[uUL])?"(?P<string>(?:\\.|[^"\\\n])*)"
      | (?<!\w)(?:u8|[uUL])?'(?:\\.|[^'\\\n])+'
      | (?P<number>(?<!\w)\d(?:'?[\w.])*)""", re.X | re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*([<\"])([^>\"]+)[>\"]", re.M)
SCOPE = re.compile(r"(?:inline\s+)?(?:namespace|class|struct|union|enum|extern)\b")
MEMBER_INITIALISERS = re.compile(r"\)[^)]*?(?<!:):(?!:)")


def blank(text):
    return re.sub(r"[^\n]", " ", text)


class Source:
    """`code` has the length and the lines of `text`; comments, strings and directives are blanks in it."""

    def __init__(self, text):
        self.text = text
        self.lines = text.split("\n")
        self.literals = []  # (offset, content)
        self.starts = [0] + [match.end() for match in re.finditer("\n", text)]
        self.code = DIRECTIVE.sub(lambda match: blank(match.group()), TOKEN.sub(self._token, text))
        visible = TOKEN.sub(lambda match: blank(match.group()) if match["comment"] else match.group(), text)
        self.includes = [(self.line(match.start()), match[1], match[2]) for match in INCLUDE.finditer(visible)]

    def _token(self, match):
        if match["number"]:
            return match.group()
        for kind in ("raw", "string"):
            if match[kind] is not None:
                self.literals.append((match.start(), match[kind]))
        # A string stays an expression: "" in its place.
        return blank(match.group()) if match["comment"] else '""' + blank(match.group())[2:]

    def line(self, offset):
        return bisect.bisect_right(self.starts, offset)

    def functions(self):
        """(first line, last line) of every function at namespace or class level, local ones not counted."""
        stack, head, parens = [], 0, 0
        for match in re.finditer(r"[(){};]", self.code):
            sign, at = match.group(), match.start()
            if sign in "()":
                parens = max(0, parens + (1 if sign == "(" else -1))
            elif sign == "{":
                kind = "nested" if parens or "function" in (entry[0] for entry in stack) \
                    else self._kind(self.code[head:at])
                stack.append((kind, head, parens))
                parens = 0
                if kind == "scope":
                    head = match.end()
            elif sign == "}" and stack:
                kind, begin, parens = stack.pop()
                if kind == "function":
                    yield self._first_line(begin), self.line(at)
                if kind in ("function", "scope"):
                    head = match.end()
            elif sign == ";" and not parens:
                if not any(entry[0] in ("function", "nested") for entry in stack):
                    head = match.end()

    def _first_line(self, begin):
        text = self.code[begin:]
        return self.line(begin + len(text) - len(text.lstrip()))

    @staticmethod
    def _kind(head):
        head = re.sub(r"\[\[.*?\]\]", "", head.strip(), flags=re.S)
        head = re.sub(r"^(?:(?:public|private|protected)\s*:\s*)+", "", head)
        head = without_template(head)
        if SCOPE.match(head) and "(" not in re.sub(r"\b(?:alignas|decltype)\s*\([^)]*\)", "", head):
            return "scope"
        flat = without_parentheses(re.sub(r"operator\s*(?:\(\s*\)|[^\s(\w]+)", "operator", head))
        if re.search(r"=\s*\[[^\[\]]*\]", flat):  # a lambda with a name is a function
            return "function"
        if "()" not in flat or re.search(r"(?<![=!<>])=(?!=)", flat):
            return "nested"
        # `: member_{1}` opens a value; the body comes after `)` or `}`.
        if MEMBER_INITIALISERS.search(flat) and re.search(r"[\w>]\s*$", flat):
            return "nested"
        return "function"


def without_template(head):
    while match := re.match(r"template\s*<", head):
        depth, at = 1, match.end()
        while at < len(head) and depth:
            depth += {"<": 1, ">": -1}.get(head[at], 0)
            at += 1
        head = head[at:].lstrip()
    return head


def without_parentheses(text):
    """`f(a, g(b)) const` -> `f() const`."""
    out, depth = [], 0
    for sign in text:
        depth -= sign == ")"
        if depth <= 0:
            out.append(sign)
        depth += sign == "("
    return "".join(out)


def opener(code, offset):
    """Offset of the parenthesis, bracket or brace that is open at `offset`; -1: none."""
    depth = 0
    for at in range(offset - 1, -1, -1):
        if code[at] in ")]}":
            depth += 1
        elif code[at] in "([{":
            if depth == 0:
                return at
            depth -= 1
        elif code[at] == ";" and depth == 0:
            return -1
    return -1
