// Flows in separate processes: killed, crashed, and running concurrently.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "holdfast/node.h"
#include "support/eventually.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Lines = std::vector<std::string>;

Lines lines_of(const fs::path& path) {
    Lines lines;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
}

// A child process.
class Child {
public:
    Child(const fs::path& folder, const std::string& program, Lines arguments)
        : output_(folder / ("output-" + std::to_string(started++))) {
        arguments.insert(arguments.begin(),
                         fs::read_symlink("/proc/self/exe").replace_filename(program).string());
        std::vector<char*> pointers;
        for (std::string& each : arguments) pointers.push_back(each.data());
        pointers.push_back(nullptr);
        posix_spawn_file_actions_t files;
        posix_spawn_file_actions_init(&files);
        posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output_.c_str(), O_WRONLY | O_CREAT,
                                         0600);
        EXPECT_EQ(posix_spawn(&pid_, pointers[0], &files, nullptr, pointers.data(), environ), 0);
        posix_spawn_file_actions_destroy(&files);
    }
    ~Child() { kill9(); }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    void kill9() {
        if (pid_ == 0) return;
        ::kill(pid_, SIGKILL);
        wait();
    }
    // Its exit code, or minus the signal that ended it. Killed if it does not end within five
    // minutes.
    int wait() {
        int status = 0;
        if (!eventually([&] { return ::waitpid(pid_, &status, WNOHANG) == pid_; }, 5min)) {
            ADD_FAILURE() << "the process did not end";
            ::kill(pid_, SIGKILL);
            ::waitpid(pid_, &status, 0);
        }
        pid_ = 0;
        return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    }
    Lines output() const { return lines_of(output_); }

private:
    inline static int started = 0;
    fs::path output_;
    pid_t pid_ = 0;
};

class ProcessesOn : public ::testing::TestWithParam<const char*> {
protected:
    StorePlace place{GetParam()};
    StorePlace folder_place{"sqlite"};
    fs::path folder = fs::path(folder_place.url().substr(7)).parent_path();
    fs::path ledger = folder / "ledger";

    Child start(const std::string& flow, const std::string& role = "runner") {
        return Child(folder, "flow_process", {place.url(), ledger.string(), flow, role});
    }
    // The started steps, as "NAME ATTEMPT".
    Lines begun() const {
        Lines steps;
        for (const std::string& line : lines_of(ledger))
            steps.push_back(line.substr(0, line.find(' ')) + line.substr(line.rfind(' ')));
        return steps;
    }
    std::set<std::string> keys() const {
        std::set<std::string> keys;
        for (const std::string& line : lines_of(ledger))
            keys.insert(line.substr(0, line.rfind(' ')));
        return keys;
    }
};

TEST_P(ProcessesOn, AFlowThatWasKilledInAStepGoesOnInAnotherProcess) {
    Child holder = start("hold", "holder");
    ASSERT_TRUE(eventually([&] { return begun().size() >= 2; }));
    // On a shared store the other process starts while the first still runs.
    if (place.kind() == "sqlite") holder.kill9();
    Child other = start("hold");
    holder.kill9();
    EXPECT_EQ(other.wait(), 0);
    EXPECT_EQ(other.output(), (Lines{"result 42"}));
    EXPECT_EQ(begun(), (Lines{"first 1", "second 1", "second 2"}));
    EXPECT_EQ(keys().size(), 2) << "an attempt has the key of the one before it";
}

TEST_P(ProcessesOn, AStepThatEndsItsProcessIsTriedUpToItsLimitThenTheFlowFails) {
    for (int attempt = 1; attempt <= 3; ++attempt) {
        EXPECT_EQ(start("explode").wait(), -SIGABRT);
        EXPECT_EQ(begun().size(), attempt);
    }
    Child last = start("explode");
    EXPECT_EQ(last.wait(), 1);
    ASSERT_EQ(last.output().size(), 1);
    EXPECT_TRUE(last.output()[0].ends_with(
        "failed: step 'explode' failed: the process died 3 times while the step ran"))
        << last.output()[0];
    EXPECT_EQ(begun(), (Lines{"explode 1", "explode 2", "explode 3"}));
}

TEST_P(ProcessesOn, ATransferThatIsKilledAgainAndAgainReconciles) {
    constexpr std::size_t transfers = 40;
    const fs::path bank = folder / "bank";
    const Lines arguments{place.url(), bank.string(), std::to_string(transfers)};
    const auto bookings = [&] {
        return fs::exists(bank) ? std::distance(fs::directory_iterator(bank), {}) : 0;
    };
    // On PostgreSQL each process must wait for the lease of the previous one.
    const std::size_t kills = place.kind() == "sqlite" ? 8 : 1;
    for (std::size_t kill = 1; kill <= kills; ++kill) {
        Child victim(folder, "example_transfer", arguments);
        const auto enough = static_cast<std::ptrdiff_t>(kill * transfers * 2 / (kills + 1));
        ASSERT_TRUE(eventually([&] { return bookings() >= enough; }));
        victim.kill9();
    }
    Child last(folder, "example_transfer", arguments);
    EXPECT_EQ(last.wait(), 0);
    EXPECT_EQ(last.output(), (Lines{"moved 820: ann -820, bob 420, eve 400"}));
}

INSTANTIATE_TEST_SUITE_P(Stores, ProcessesOn, ::testing::Values("sqlite", "postgres"), store_name);

TEST(Processes, ASecondOneOnTheSameFileIsRefused) {
    const StorePlace place("sqlite");
    const fs::path folder = fs::path(place.url().substr(7)).parent_path();
    Child first(folder, "flow_process",
                {place.url(), (folder / "ledger").string(), "serve", "runner"});
    ASSERT_TRUE(eventually([&] { return !first.output().empty(); }));

    Child second(folder, "flow_process",
                 {place.url(), (folder / "ledger").string(), "hold", "runner"});
    EXPECT_EQ(second.wait(), 1);
    ASSERT_EQ(second.output().size(), 1);
    EXPECT_NE(second.output()[0].find("another holdfast process uses " + place.url().substr(7)),
              std::string::npos)
        << second.output()[0];

    Node here(NodeOptions{.store = place.url(), .log_level = "off"});
    EXPECT_THROW(here.open(), Unavailable);
    first.kill9();
    // The file is unlocked, so the same node can open it.
    EXPECT_NO_THROW(here.open());
}

}  // namespace
}  // namespace holdfast::testing
