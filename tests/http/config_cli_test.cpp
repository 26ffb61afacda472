// Settings of the server in a file.
#include "command_line.h"

namespace holdfast::cli {
namespace {

class ConfigFile : public ::testing::Test {
protected:
    // Exit code 2 and this text, or 0.
    void expect(const std::string& content, const std::string& error) {
        const Ran ran = checked(content);
        EXPECT_EQ(ran.code, error.empty() ? 0 : 2) << content << ran.out << ran.err;
        EXPECT_NE(ran.err.find(error), std::string::npos) << content << ran.err;
    }
    Ran checked(const std::string& content) { return run({"config", "check", written(content)}); }
    std::string written(const std::string& content) const {
        std::ofstream(place_.file("holdfast.toml")) << content;
        return place_.file("holdfast.toml");
    }

    Directory place_;
};

TEST_F(ConfigFile, IsRefusedWithTheLineAndWhatIsWrong) {
    expect("listen = \"127.0.0.1:0\"\nkeep-ended = \"90d\"\nqueue = 7\n", "");
    expect("host-name = [\"a\", \"b\"]\ndemo = true\n", "");
    expect("queue = 7\nlisten", "line 2: ");
    expect("\nlistne = \"x\"", "line 2: there is no setting 'listne'; did you mean 'listen'?");
    expect("frobnicate = 1", "'holdfast help serve' lists them");
    expect("queue = 0", "line 1: ");
    expect("queue = 1.5", "'queue' takes a text, a whole number or a list");
    expect("[queue]\na = 1", "'queue' takes");
    expect("keep-ended = \"soon\"", "is not a duration");
    expect("demo = 3", "'demo' is true or false");
    expect("config = \"other.toml\"", "there is no setting 'config'");
    EXPECT_EQ(run({"config", "check", place_.file("nowhere.toml")}).code, 2);
    EXPECT_EQ(run({"config", "check", place_.path()}).code, 2) << "a folder";
}

// What `serve` would refuse before it opens its store.
TEST_F(ConfigFile, ItsValuesAreCheckedTogetherAsServeDoes) {
    expect("store = \"mysql://h/d\"", "is not a store URL");
    expect("listen = \"0.0.0.0:8080\"", "--tls-certificate");
    expect("listen = \"0.0.0.0:8080\"\nbehind-proxy = \"10.0.0.7\"", "needs --token-file");
    expect("listen = \"127.0.0.1\"", "invalid listen address '127.0.0.1'");
    expect("keep-records = \"1m\"", "--keep-records must be 1h or longer");
    std::ofstream(place_.file("token")) << "short";
    expect("token-file = \"" + place_.file("token") + "\"", "fewer than 16 characters");
    EXPECT_NE(checked("token-file = \"" + place_.file("nowhere") + "\"").code, 0);
}

TEST_F(ConfigFile, TheCommandLineWinsOverTheEnvironmentAndThatOverTheFile) {
    const std::string file =
        written("queue = 1\nevent-queue = 2\nwriters = 3\nstore = \"postgres://u:s3cr3t@h/d\"\n");
    ::setenv("HOLDFAST_QUEUE", "10", 1);
    ::setenv("HOLDFAST_EVENT_QUEUE", "20", 1);
    const Ran dump = run({"config", "dump", "--config", file, "--queue", "100"});
    ::unsetenv("HOLDFAST_QUEUE");
    ::unsetenv("HOLDFAST_EVENT_QUEUE");
    ASSERT_EQ(dump.code, 0) << dump.err;
    for (const char* line :
         {"queue = 100  # --queue\n", "event-queue = 20  # HOLDFAST_EVENT_QUEUE\n",
          "writers = 3  # file\n", "http-threads = 2  # default\n", "demo = false  # default\n",
          "store = \"postgres://u:***@h/d\"  # file\n"})
        EXPECT_NE(dump.out.find(line), std::string::npos) << line << dump.out;
    EXPECT_EQ(dump.out.find("s3cr3t"), std::string::npos);
    expect(dump.out, "");
}

TEST_F(ConfigFile, PasswordsAreHiddenHoweverTheyAreWritten) {
    for (const auto& [url, shown] :
         {std::pair{"postgres://u:s3cr3t@h/d", "postgres://u:***@h/d"},
          {"postgres://u:s3cr3t@s3cr3t@h/d?application_name=x",
           "postgres://u:***@h/d?application_name=x"},
          {"postgres://u:s3cr3t/s3cr3t@h/d", "postgres://u:***@h/d"},
          {"postgres://u@h/d?password=s3cr3t&sslmode=require",
           "postgres://u@h/d?password=***&sslmode=require"},
          {"postgres://u@h/d?sslmode=require&sslpassword=s3cr3t",
           "postgres://u@h/d?sslmode=require&sslpassword=***"},
          {"postgres://u@h/d?host=/run/x", "postgres://u@h/d?host=/run/x"},
          {"sqlite:a@b:c.db", "sqlite:a@b:c.db"}}) {
        const Ran dump = run({"config", "dump", "--store", url});
        EXPECT_NE(dump.out.find("store = \"" + std::string(shown) + "\"  # --store\n"),
                  std::string::npos)
            << url << dump.out;
        EXPECT_EQ(dump.out.find("s3cr3t"), std::string::npos) << dump.out;
    }
}

TEST_F(ConfigFile, ARunningServerShowsItsSettingsAsDumpDoes) {
    const std::vector<std::string> flags{
        "--config",
        written("store = \"memory:\"\nlog-level = \"off\"\nhost-name = [\"a\", "
                "\"b\"]\naddress-file = \"" +
                place_.file("address") + "\"\n"),
        "--listen", "127.0.0.1:0"};
    const auto with = [&](std::vector<std::string> command) {
        command.insert(command.end(), flags.begin(), flags.end());
        return command;
    };
    const pid_t server = spawn(with({"serve"}), place_);
    const auto address = wait_for(place_, "address");
    ASSERT_TRUE(address) << content_of(place_.file("stderr"));
    const Ran shown = run({"config", "show", "--server", *address});
    const Ran json = run({"config", "show", "--server", *address, "-o", "jsonl"});
    ::kill(server, SIGTERM);
    EXPECT_EQ(exit_code_of(server), 0);
    EXPECT_EQ(shown.code, 0) << shown.err;
    EXPECT_EQ(shown.out, run(with({"config", "dump"})).out);
    EXPECT_NE(shown.out.find("host-name = [\"a\", \"b\"]  # file\n"), std::string::npos);
    EXPECT_NE(json.out.find(R"({"name":"listen","sameAs":null,"source":"flag",)"),
              std::string::npos)
        << json.out;
}

TEST_F(ConfigFile, StartsAServer) {
    const std::string file =
        written("store = \"memory:\"\nlisten = \"127.0.0.1:0\"\nlog-level = \"off\"\n" +
                ("address-file = \"" + place_.file("address") + "\"\n"));
    const pid_t server = spawn({"serve", "--config", file}, place_);
    const auto address = wait_for(place_, "address");
    ASSERT_TRUE(address) << content_of(place_.file("stderr"));
    EXPECT_EQ(run({"nodes", "list", "--server", *address}).code, 0);
    ::kill(server, SIGTERM);
    EXPECT_EQ(exit_code_of(server), 0);
    EXPECT_EQ(run({"serve", "--config", written("queue = 0")}).code, 2);
}

}  // namespace
}  // namespace holdfast::cli
