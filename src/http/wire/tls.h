// TLS as servers and clients of this program use it: versions and suites, the certificate of a
// server as its files have it now, and what a client trusts.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/file_stamp.h"
#include "base/result.h"

namespace boost::asio::ssl {
class context;
}

namespace holdfast::http {

using TlsContext = std::shared_ptr<boost::asio::ssl::context>;

// Files in PEM.
struct ServerTlsFiles {
    std::string certificate;  // the server's first, then those of the authorities between
    std::string key;          // not encrypted
    std::string client_ca;    // whose certificates clients must have; empty: they need none
    std::chrono::milliseconds look_every{2'000};
};

// Safe from any thread.
class ServerTls {
public:
    // invalid_argument: a file cannot be read or used, or the key is not that of the certificate.
    static Result<std::unique_ptr<ServerTls>> open(ServerTlsFiles files);

    // For the next connection; those that are open keep theirs. Looks at the files now and then.
    TlsContext current();
    // Reads the files whether or not they have changed. On an error what was read before stays, and
    // the error is logged.
    void reload();

private:
    using Stamps = std::vector<FileStamp>;
    using Steady = std::chrono::steady_clock;

    explicit ServerTls(ServerTlsFiles files) : files_(std::move(files)) {}
    Result<Stamps> stamps() const;
    Result<TlsContext> read() const;
    Result<void> read_if_changed();

    const ServerTlsFiles files_;
    std::mutex mutex_;
    TlsContext context_;
    Stamps stamps_;
    Steady::time_point looked_at_ = Steady::time_point::min();
};

// Files in PEM.
struct ClientTlsFiles {
    std::string ca;           // of the server; empty: those that the system trusts
    std::string certificate;  // of the client; empty: none
    std::string key;          // its own; empty: in the file of the certificate
};

// invalid_argument: a file cannot be used.
Result<TlsContext> client_tls(const ClientTlsFiles& files);

}  // namespace holdfast::http
