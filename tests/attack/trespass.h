// Tests in a town: whatever an attacker does there, acme has in the end what it had.
#pragma once

#include <gtest/gtest.h>

#include "attack/town.h"

namespace holdfast::testing {

inline constexpr const char* nobodys_id = "01890a5d-ac96-774b-bcce-b302099a8057";

// One for all tests on a store.
inline Town& town_of(const std::string& store) {
    static std::map<std::string, std::unique_ptr<Town>> towns;
    auto& town = towns[store];
    if (!town) town = std::make_unique<Town>(store);
    return *town;
}

inline std::string replaced(std::string text, const std::string& what, const std::string& with) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
        text.replace(at, what.size(), with);
    return text;
}

// Every test checks that acme has what it had.
class Trespass : public ::testing::TestWithParam<const char*> {
protected:
    Trespass() : town_(town_of(GetParam())), before_(town_.estate()) {}
    ~Trespass() override { EXPECT_EQ(town_.estate(), before_) << "acme lost or got something"; }

    std::string path() const { return "/api/v1/workflows/" + town_.workflow; }
    Answer admin(http::Method method, const std::string& target, const std::string& body = {},
                 const Fields& headers = {}) {
        Answer answer = town_.ask("admin", method, target, body, headers);
        EXPECT_FALSE(answer.tells_of_acme()) << target << answer;
        EXPECT_LT(answer.status, 500) << target << answer;
        return answer;
    }
    // As if it did not exist: the answer is that for an id that nobody has.
    void expect_unknown(http::Method method, const std::string& target, const std::string& id,
                        const std::string& body = {}, const Fields& headers = {}) {
        const Answer foreign = admin(method, target, body, headers);
        const Answer unknown = admin(method, replaced(target, id, nobodys_id), body, headers);
        EXPECT_EQ(foreign.status, 404) << target << foreign;
        EXPECT_EQ(replaced(foreign.text, id, nobodys_id), unknown.text) << "it tells what exists";
    }
    std::size_t items(const std::string& target, const std::string& key = "admin") {
        const Answer page = town_.ask(key, http::Method::get, target);
        EXPECT_EQ(page.status, 200) << target << page;
        const boost::json::value body = page.json();
        if (!body.is_object() || !body.as_object().contains("items")) return 0;
        EXPECT_EQ(key.starts_with("acme"), page.tells_of_acme()) << target << page;
        return body.at("items").as_array().size();
    }
    Town& town_;
    const std::string before_;
};

}  // namespace holdfast::testing
