// What Swift cannot import of libwebsockets, libev and OpenSSL: macros with arguments, enum arithmetic, inline initialisers.
#ifndef HEARTH_CLWS_H
#define HEARTH_CLWS_H

#include <libwebsockets.h>
#include <ev.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static inline int clws_headroom(void) { return LWS_PRE; }

static inline int clws_write_message(struct lws *wsi, unsigned char *bytes, size_t count) { return lws_write(wsi, bytes, count, LWS_WRITE_BINARY); }
static inline int clws_write_head(struct lws *wsi, unsigned char *bytes, size_t count) { return lws_write(wsi, bytes, count, LWS_WRITE_HTTP_HEADERS); }
static inline int clws_write_body(struct lws *wsi, unsigned char *bytes, size_t count, int is_last) {
    return lws_write(wsi, bytes, count, is_last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP);
}

// Closes soon, from outside of a callback of this connection.
static inline void clws_kill(struct lws *wsi) { lws_set_timeout(wsi, PENDING_TIMEOUT_KILLED_BY_PARENT, LWS_TO_KILL_ASYNC); }
static inline void clws_no_timeout(struct lws *wsi) { lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0); }
static inline void clws_close_within(struct lws *wsi, int seconds) { lws_set_timeout(wsi, PENDING_TIMEOUT_CLOSE_SEND, seconds); }
static inline void clws_close_reason(struct lws *wsi, int code) { lws_close_reason(wsi, (enum lws_close_status)code, NULL, 0); }

// HTTP/2 is never offered, so a connection is its own network connection. (The presence of ":method" says nothing: anybody can send such a header.)
static inline int clws_is_plain_http1(struct lws *wsi) { return lws_get_network_wsi(wsi) == wsi; }

// 1: a header is there whose name is a framing header's but for white space before the colon. Newer libraries list all names; the
// older one finds a name only when it is asked for exactly that name.
#if LWS_LIBRARY_VERSION_NUMBER >= 4003000
static inline void clws_compare_name(const char *name, int length, void *found) {
    int end = length;
    while (end > 0 && (name[end - 1] == ':' || name[end - 1] == ' ' || name[end - 1] == '\t')) end--;
    if (end == 14 && !strncasecmp(name, "content-length", 14)) *(int *)found = 1;
    if (end == 17 && !strncasecmp(name, "transfer-encoding", 17)) *(int *)found = 1;
}
static inline int clws_has_disguised_framing(struct lws *wsi) {
    int found = 0;
    lws_hdr_custom_name_foreach(wsi, clws_compare_name, &found);
    return found;
}
#else
static inline int clws_has_disguised_framing(struct lws *wsi) {
    static const char *const names[] = {"content-length :", "transfer-encoding :", "content-length\t:", "transfer-encoding\t:"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (lws_hdr_custom_length(wsi, names[i], (int)strlen(names[i])) >= 0) return 1;
    return 0;
}
#endif

typedef struct {
    ev_prepare prepare;
    ev_async async;
    ev_timer timer;
} clws_hooks;

// `turn` runs before each wait, `wake` after clws_wake, `tick` every `seconds`.
static inline clws_hooks *clws_hook(struct ev_loop *loop, void *user, double seconds, void (*turn)(struct ev_loop *, ev_prepare *, int),
                                    void (*wake)(struct ev_loop *, ev_async *, int), void (*tick)(struct ev_loop *, ev_timer *, int)) {
    clws_hooks *hooks = (clws_hooks *)calloc(1, sizeof *hooks);
    ev_prepare_init(&hooks->prepare, turn);
    hooks->prepare.data = user;
    ev_prepare_start(loop, &hooks->prepare);
    ev_async_init(&hooks->async, wake);
    hooks->async.data = user;
    ev_async_start(loop, &hooks->async);
    ev_timer_init(&hooks->timer, tick, seconds, seconds);
    hooks->timer.data = user;
    ev_timer_start(loop, &hooks->timer);
    return hooks;
}
static inline void clws_unhook(struct ev_loop *loop, clws_hooks *hooks) {
    ev_prepare_stop(loop, &hooks->prepare);
    ev_async_stop(loop, &hooks->async);
    ev_timer_stop(loop, &hooks->timer);
    free(hooks);
}
static inline struct ev_loop *clws_loop(void) { return ev_loop_new(EVBACKEND_EPOLL | EVFLAG_NOENV); }
static inline void clws_wake(struct ev_loop *loop, clws_hooks *hooks) { ev_async_send(loop, &hooks->async); }
static inline void clws_break(struct ev_loop *loop) { ev_break(loop, EVBREAK_ALL); }

// Under constant load the library's libev glue never reaches its idle watcher, which alone arms its timer for a new, earlier
// timeout. With an event of its own always pending the timer fires again and again, and with it every timeout.
typedef struct {
    lws_sorted_usec_list_t sul;
    struct lws_context *context;
} clws_ticker;
static inline void clws_ticked(lws_sorted_usec_list_t *sul) {
    clws_ticker *ticker = lws_container_of(sul, clws_ticker, sul);
    lws_sul_schedule(ticker->context, 0, sul, clws_ticked, 500000);
}
static inline clws_ticker *clws_start_ticker(struct lws_context *context) {
    clws_ticker *ticker = (clws_ticker *)calloc(1, sizeof *ticker);
    ticker->context = context;
    clws_ticked(&ticker->sul);
    return ticker;
}
static inline void clws_stop_ticker(clws_ticker *ticker) {
    lws_sul_schedule(ticker->context, 0, &ticker->sul, NULL, LWS_SET_TIMER_USEC_CANCEL);
    free(ticker);
}

// A listener never calls anybody, but the library gives it the means, with all of the system's authorities, and loses them at its end. It takes what it is given in their place.
static inline SSL_CTX *clws_means_to_call(void) { return SSL_CTX_new(TLS_client_method()); }
static inline void clws_free_means_to_call(SSL_CTX *tls) { SSL_CTX_free(tls); }

// By what a relay is verified: the authorities of a file, or without one the system's. From a file that cannot be read come none, and nobody is taken for the relay.
// What the library makes itself in its place it loses at the end, once a second context of the process has changed where it looks for it.
static inline SSL_CTX *clws_trust(const char *authorities) {
    SSL_CTX *tls = SSL_CTX_new(TLS_client_method());
    if (!tls) return NULL;
    SSL_CTX_set_mode(tls, SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    if (authorities) SSL_CTX_load_verify_locations(tls, authorities, NULL);
    else SSL_CTX_set_default_verify_paths(tls);
    ERR_clear_error();
    return tls;
}
static inline void clws_free_trust(SSL_CTX *tls) { SSL_CTX_free(tls); }

// 0: fits; 1: certificate unreadable; 2: key unreadable; 3: the key belongs to another certificate.
static inline int clws_check_key_pair(const char *certificate_path, const char *key_path) {
    int result = 1;
    SSL_CTX *tls = SSL_CTX_new(TLS_server_method());
    if (tls && SSL_CTX_use_certificate_chain_file(tls, certificate_path) == 1) {
        FILE *file = fopen(key_path, "r");
        EVP_PKEY *key = file ? PEM_read_PrivateKey(file, NULL, NULL, (void *)"") : NULL;
        if (file) fclose(file);
        if (!key) result = 2;
        else result = X509_check_private_key(SSL_CTX_get0_certificate(tls), key) == 1 ? 0 : 3;
        EVP_PKEY_free(key);
    }
    SSL_CTX_free(tls);
    ERR_clear_error();
    return result;
}

#endif
