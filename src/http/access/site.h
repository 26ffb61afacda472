// The site that a browser sends a request for. Other clients do not say.
#pragma once

#include "http/wire/message.h"

namespace holdfast::http {

// False: a page of another site, or of nobody knows which.
bool is_from_this_site(const Headers& headers, Scheme scheme);
// Whether a browser says so itself: it has sent one of the two headers.
bool names_site(const Headers& headers);

}  // namespace holdfast::http
