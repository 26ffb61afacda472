#include "hostile.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "base/assert.h"
#include "feel/evaluate.h"
#include "processor_time.h"

namespace holdfast::bench {
namespace {

std::string repeated(std::string_view text, int count) {
    std::string result;
    for (int i = 0; i < count; ++i) result += text;
    return result;
}

std::string many_names() {
    std::string text = "{n: 0";
    for (int i = 1; i < 8'000; ++i) text += ", n" + std::to_string(i) + ": n + n1";
    return text + "}.n";
}

double peak_mebibytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

// Sent by the child process to its parent.
struct Message {
    double milliseconds;
    double mebibytes;
    char ended[32];
};

Message measured(const std::string& text) {
    const double before = peak_mebibytes();
    const double begin = processor_seconds();
    std::string ended = "done";
    if (const auto expression = feel::parse(text)) {
        const auto result = feel::evaluate(*expression, feel::Scope());
        if (result.trouble) ended = feel::name_of(result.trouble->kind);
    } else {
        ended = "refused";
    }
    Message message{(processor_seconds() - begin) * 1000, peak_mebibytes() - before, {}};
    std::strncpy(message.ended, ended.c_str(), sizeof message.ended - 1);
    return message;
}

}  // namespace

std::vector<Hostile> hostile_expressions() {
    return {
        {"huge range", "for x in 1..1000000000 return x"},
        {"nested loops", "some x in 1..100000, y in 1..100000 satisfies x = -y"},
        {"loops that collect", "for x in 1..10000 return for y in 1..10000 return x * y"},
        {"1 MB string", "string length(\"" + std::string(1'000'000, 'x') + "\")"},
        {"1 MB string, again and again",
         "for i in 1..1000 return upper case(\"" + std::string(1'000'000, 'x') + "\")"},
        {"doubling string",
         "{f: function(s, n) if n = 0 then s else f(s + s, n - 1), r: f(\"0123456789\", 60)}.r"},
        {"10,000 brackets", repeated("[", 10'000) + repeated("]", 10'000)},
        {"10,000 minus signs", repeated("-", 10'000) + "1"},
        {"long sum", "1" + repeated("+1", 24'000)},
        {"catastrophic pattern", "matches(\"" + std::string(50'000, 'a') + "\", \"(a+)+$b\")"},
        {"large pattern", "matches(\"" + std::string(50'000, 'a') + "\", \"(a|b|c){1,900}x\")"},
        {"deep recursion", "{f: function(n) f(n + 1), r: f(1)}.r"},
        {"deep value", "for i in 1..100000 return if i = 1 then [] else [partial[-1]]"},
        {"shared value written out",
         "{a: for i in 1..1000 return i, b: [a,a,a,a,a,a,a,a,a,a], c: [b,b,b,b,b,b,b,b,b,b], "
         "d: [c,c,c,c,c,c,c,c,c,c], e: [d,d,d,d,d,d,d,d,d,d]}"},
        {"shared value as a string",
         "{a: for i in 1..1000 return i, b: [a,a,a,a,a,a,a,a,a,a], c: [b,b,b,b,b,b,b,b,b,b], "
         "d: [c,c,c,c,c,c,c,c,c,c], r: string length(string([d,d,d,d,d,d,d,d,d,d]))}.r"},
        {"thousands of names", many_names()},
        {"flattened shared value",
         "{a: for i in 1..1000 return i, b: [a,a,a,a,a,a,a,a,a,a], c: [b,b,b,b,b,b,b,b,b,b], "
         "d: [c,c,c,c,c,c,c,c,c,c], f: flatten(d)}.f"},
        {"sort with a function", "sort(for i in 1..90000 return 90000 - i, function(x, y) x < y)"},
        {"quadratic distinct values", "distinct values(for i in 1..90000 return i)"},
        {"zones read again and again",
         "for i in 1..90000 return time(\"10:00:00@Europe/\" + [\"Paris\", \"Rome\"][1])"},
    };
}

Cost cost_of(const Hostile& hostile) {
    int ends[2];
    HF_ASSERT(::pipe(ends) == 0, "a benchmark can open a pipe");
    const pid_t child = ::fork();
    if (child == 0) {
        const Message message = measured(hostile.expression);
        const bool sent = ::write(ends[1], &message, sizeof message) == sizeof message;
        ::_exit(sent ? 0 : 1);
    }
    Message message{0, 0, "crashed"};
    ::close(ends[1]);
    const bool received = ::read(ends[0], &message, sizeof message) == sizeof message;
    ::close(ends[0]);
    ::waitpid(child, nullptr, 0);
    return {message.milliseconds, message.mebibytes, received ? message.ended : "crashed"};
}

}  // namespace holdfast::bench
