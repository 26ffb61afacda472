// The seam of reads: committed data, safe from any thread.
#pragma once

#include "store/queries.h"

namespace holdfast {

class Reads {
public:
    virtual ~Reads() = default;

    // Answers one query (store/queries.h).
    template <class Query>
    Result<typename Query::Answer> ask(const Query& query) {
        Result<typename Query::Answer> answer;
        read(AnyQuestion(std::in_place_type<Question<Query>>, query, answer));
        return answer;
    }
    Result<std::vector<JournalEntry>> journal_from(const InstanceId& id, std::uint64_t from,
                                                   std::size_t limit) {
        const JournalPart part{id, from, limit};
        HF_TRY(auto all, ask(ListJournals{{&part, 1}}));
        return std::move(all.front());
    }

    // Puts the answer into its place, on any outcome.
    virtual void read(const AnyQuestion& question) = 0;
};

// How a store answers: by the overload of `answer` for the query.
template <class Answer>
void answer_by(Answer answer, const AnyQuestion& question) {
    std::visit([&](const auto& asked) { asked.answer = answer(asked.query); }, question);
}

}  // namespace holdfast
