"""What the browser tests stand on: photos, a relay, a proxy that makes trouble, participants."""
