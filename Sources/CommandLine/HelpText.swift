// What `--help` prints.

enum HelpText {
    static let program = """
        Hearth: share live, end-to-end encrypted, through a relay of your own.

        Usage: hearth serve [OPTION…]     run the relay and the web client
               hearth serve --help        its options
               hearth --version

        Start with `hearth serve` and open the address that it prints. For phones and other computers, which encrypt only over
        https: `hearth serve --tls-self-signed`.

        """

    static var serve: String {
        var text = """
            Usage: hearth serve [OPTION…]

            Runs the relay until it gets SIGTERM or SIGINT; then everybody is told to come back, parts under way are finished, and it
            ends with 0. The first line on standard output is the address. Browsers encrypt only on localhost or over https: for other
            devices give --tls-self-signed, or a certificate, or put a proxy that speaks https in front.

            """
        for option in ServeOptions.all {
            let head = "  --\(option.name)" + (option.placeholder.map { " \($0)" } ?? "")
            text += "\n" + head + "\n      " + option.help
        }
        return text + """


            Each option can also stand in the environment: --max-connections is HEARTH_MAX_CONNECTIONS. The command line counts first.

            Ends with: 0 stopped, 64 wrong options, 69 the port or address cannot be had, 73 the data directory cannot be used,
            78 the certificate, key or web client is not right, 70 anything else.

            """
    }
}
