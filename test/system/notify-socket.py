"""Binds a unix datagram socket, as a service manager does, and prints each message as a line of JSON.

The runtime of the tests has no such sockets. The one argument is a path, or an abstract name with an @ before it.
"""

import json
import socket
import sys

name = sys.argv[1]
receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiver.bind("\0" + name[1:] if name.startswith("@") else name)
print(json.dumps("bound"), flush=True)
while True:
    print(json.dumps(receiver.recv(4096).decode()), flush=True)
