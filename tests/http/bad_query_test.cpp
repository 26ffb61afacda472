// Hostile list queries: malformed input is refused, and a hostile value is treated as data.
#include <gtest/gtest.h>

#include "http/input/cursor.h"
#include "support/api_server.h"

namespace holdfast::testing {
namespace {

using namespace std::string_literals;

class BadQuery : public DurableApi {
protected:
    BadQuery() { server_.start(R"({"a": "x", "currentStep": "review"})"); }

    Reply list(const std::string& query) {
        return server_.call(Method::get, "/api/v1/workflows?" + query);
    }
    void expect_refused(const std::string& query, int status = 400) {
        const Reply reply = list(query);
        SCOPED_TRACE(query.substr(0, 300));
        EXPECT_EQ(reply.status, status) << reply;
        EXPECT_EQ(reply.header("Content-Type"), "application/problem+json");
        EXPECT_TRUE(reply.text_at("/type").starts_with("/problems/"));
        EXPECT_FALSE(reply.text_at("/detail").empty());
    }
};

INSTANTIATE_TEST_SUITE_P(Stores, BadQuery, all_stores(), store_name);

TEST_P(BadQuery, InvalidPathsAreRefused) {
    for (const std::string& path : {""s,
                                    "."s,
                                    ".."s,
                                    "a..b"s,
                                    ".a"s,
                                    "a."s,
                                    "a%27b"s,
                                    "a%22b"s,
                                    "a%20b"s,
                                    "a%3Bb"s,
                                    "a%2Fb"s,
                                    "a%5B0%5D"s,
                                    "%24"s,
                                    "%24.a"s,
                                    "a%29%3B%20drop%20table%20instances%3B--"s,
                                    "%C3%BC"s,
                                    "a%7Bb%7D"s,
                                    "a,b"s,
                                    "a%3A%3Atext"s,
                                    "*"s,
                                    repeated("a.", 199) + "a",
                                    repeated("a.", 16) + "a",
                                    std::string(65, 'a')})
        expect_refused("path." + path + "=x");
    expect_refused("path=x");
    expect_refused("path.a=1&path.b=1&path.c=1&path.d=1&path.e=1");
}

TEST_P(BadQuery, ContainmentWithMalformedJsonIsRefused) {
    for (const std::string& name : {"contains="s, "metaContains="s}) {
        for (const std::string& value :
             {""s, "%7B"s, "x"s, "%7B%22a%22%3A1%2C%22a%22%3A2%7D"s, "%22%5Cu0000%22"s, "NaN"s,
              "%7B%7D%20%7B%7D"s, repeated("[", 65) + repeated("]", 65), repeated("[", 5'000)})
            expect_refused(name + value);
        expect_refused(name + "%7B%22a%22%3A1e400%7D", 422);
    }
}

TEST_P(BadQuery, OtherMalformedFiltersAreRefused) {
    for (const char* query : {"status=done",
                              "status=",
                              "status=open,",
                              "status=,open",
                              "status=Open",
                              "status=open;x",
                              "definition=",
                              "businessKey=",
                              "definition=a%20b",
                              "businessPart.=x",
                              "businessPart=x",
                              "businessPart.a%20b=x",
                              "businessPart.a%27=x",
                              "createdFrom=yesterday",
                              "createdFrom=",
                              "createdFrom=2026-13-01T00:00:00Z",
                              "createdBefore=2026-01-28",
                              "createdBefore=2026-01-28T10:00:00%2B01:00",
                              "createdFrom=99999-01-01T00:00:00Z",
                              "updatedFrom=yesterday",
                              "updatedBefore=",
                              "dueBefore=tonight",
                              "only=",
                              "only=open",
                              "only=stuck,",
                              "parent=x",
                              "parent=",
                              "idPrefix=01",
                              "idPrefix=0000000g",
                              "idPrefix=00000000-0000-0000-0000-0000000000000",
                              "idPrefix=000000000",
                              "waitsFor=",
                              "waitsFor=a%0Ab",
                              "order=",
                              "order=updated",
                              "limit=0",
                              "limit=501",
                              "limit=abc",
                              "unknown=1",
                              "Status=open",
                              "offset=10",
                              "order=asc%3B%20drop%20table%20instances",
                              "status=open&status=open",
                              "path.a=1&path.a=2",
                              "limit=1&limit=1"})
        expect_refused(query);
}

TEST_P(BadQuery, ForgedCursorsAreRefused) {
    const std::string valid = http::make_cursor("01890a5d-ac96-774b-bcce-b302099a8057", "");
    for (const std::string& cursor :
         {""s, "x"s, "AAAA"s, "AAAAAAAAAAAA"s, "%21%21%21"s, std::string(4'000, 'A'),
          valid.substr(1), "B" + valid.substr(1), http::make_cursor("abc", ""),
          http::make_cursor("'; drop table instances; --", ""),
          http::make_cursor("99999999999999999999", ""), http::make_cursor("1x", ""),
          http::make_cursor("1\n2", ""), http::make_cursor("1", "status=open\n")})
        expect_refused("cursor=" + cursor);
}

TEST_P(BadQuery, AHostileValueIsOnlyAValue) {
    const char* values[] = {"%27%20or%20%271%27%3D%271",
                            "%27%3B%20drop%20table%20instances%3B%20--",
                            "%22%5D%7D%29",
                            "%25",
                            "_",
                            "..",
                            "%5C",
                            "%24%7Bx%7D",
                            "%F0%9F%98%80",
                            "",
                            "null"};
    for (const std::string value : values) {
        for (const char* name : {"path.a=", "path.currentStep=", "path.a.b.c=", "businessKey=k",
                                 "businessPart.region="}) {
            const Reply page = list(name + value);
            EXPECT_EQ(page.status, 200) << name << value << page;
            EXPECT_TRUE(page.at("/items").as_array().empty()) << name << value << page;
        }
    }
    for (const std::string value : {"%27%20or%20%271%27%3D%271", "%25", "_", "%5C%5C", "%24%7Bx%7D",
                                    "%5C%22%5D%7D%29", "%F0%9F%98%80", "", "null"}) {
        const Reply page = list("contains=%7B%22a%22%3A%22" + value + "%22%7D");
        EXPECT_EQ(page.status, 200) << value << page;
        EXPECT_TRUE(page.at("/items").as_array().empty()) << value << page;
    }
    EXPECT_EQ(list("path.a=x").at("/items").as_array().size(), 1u);
    EXPECT_TRUE(list("path.a=" + std::string(7'000, 'x')).at("/items").as_array().empty());
}

TEST_P(BadQuery, ADeepPathOfPlainNamesIsFine) {
    EXPECT_EQ(list("path." + repeated("a.", 15) + "a=x").status, 200);
    EXPECT_EQ(list("path.constructor.__proto__.-1=x").status, 200);
    EXPECT_EQ(list("path.9223372036854775808=x").status, 200);
    EXPECT_EQ(list("path.a.-99999999999999999999=x").status, 200);
    EXPECT_EQ(list("contains=" + repeated("[", 64) + repeated("]", 64)).status, 200);
}

}  // namespace
}  // namespace holdfast::testing
