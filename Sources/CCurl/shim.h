// What Swift cannot import of libcurl: its options take any number of arguments of any type.
#ifndef HEARTH_CCURL_H
#define HEARTH_CCURL_H

#include <curl/curl.h>

typedef size_t (*ccurl_transfer)(char *bytes, size_t size, size_t count, void *user);
typedef int (*ccurl_progress)(void *user, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d);

static inline int ccurl_set_long(CURL *curl, CURLoption option, long value) { return curl_easy_setopt(curl, option, value) == CURLE_OK; }
static inline int ccurl_set_size(CURL *curl, CURLoption option, curl_off_t value) { return curl_easy_setopt(curl, option, value) == CURLE_OK; }
static inline int ccurl_set_text(CURL *curl, CURLoption option, const char *value) { return curl_easy_setopt(curl, option, value) == CURLE_OK; }
static inline int ccurl_set_pointer(CURL *curl, CURLoption option, void *value) { return curl_easy_setopt(curl, option, value) == CURLE_OK; }
static inline int ccurl_set_transfer(CURL *curl, CURLoption option, ccurl_transfer value) { return curl_easy_setopt(curl, option, value) == CURLE_OK; }
static inline int ccurl_set_progress(CURL *curl, ccurl_progress value) { return curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, value) == CURLE_OK; }
static inline long ccurl_status(CURL *curl) {
    long status = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    return status;
}
/// What a proxy has answered to CONNECT; 0 where none was asked.
static inline long ccurl_connect_status(CURL *curl) {
    long status = 0;
    curl_easy_getinfo(curl, CURLINFO_HTTP_CONNECTCODE, &status);
    return status;
}
static inline int ccurl_start(void) { return curl_global_init(CURL_GLOBAL_ALL) == CURLE_OK; }

#endif
