// The dashboard that the build put into the program: generated from web/.
#pragma once

#include "http/page/page.h"

namespace holdfast::app {

// Without screens if the program was built without Node.js.
http::Page embedded_page();

}  // namespace holdfast::app
