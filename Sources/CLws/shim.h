// Written by RelayServer: what Swift cannot import of libwebsockets and libev.
#include <libwebsockets.h>
#include <ev.h>
