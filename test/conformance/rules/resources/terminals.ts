/** Terminals. */
import type { Rule } from '../rule.ts';

export default [
  {
    id: 'F-06',
    rule: 'A terminal is a WebSocket that takes a key of the scope `all`, in the header',
    file: 'conformance/local/terminals',
    tests: [
      'a terminal > takes a key of the scope all, in the header',
      'a terminal > is a WebSocket, and says so to who asks otherwise',
      'a terminal > that is not there is a 404 when it is closed; the list of them takes a key of the scope all',
    ],
  },
  {
    id: 'F-07',
    rule: 'Where there can be no terminal, the reason is told',
    file: 'conformance/local/terminals',
    tests: [
      'a terminal > into a worker or a Pod that is not there is a 404 that says so',
      'a terminal > into a worker that is a process is a 400 that says why there is none',
    ],
  },
  {
    id: 'F-08',
    rule: 'A shell has the size that was asked for and tells its exit code',
    file: 'system/containers/terminals',
    tests: ['terminals > a shell begins in the size that was asked for, takes what is typed, and tells its exit code'],
  },
  {
    id: 'F-09',
    rule: 'Who comes back gets the output from the byte on that it names, or the screen as it is where that is not kept any more',
    file: 'system/containers/terminals',
    tests: [
      'terminals > who comes back gets what came meanwhile, from the byte on that it names',
      'terminals > who comes back for what is no longer kept gets the screen and its scrollback as they are',
    ],
  },
  {
    id: 'F-10',
    rule: 'Several viewers see the same; one that shows nothing holds the shell back, and nothing is lost',
    file: 'system/containers/terminals',
    tests: [
      "terminals > several viewers see the same, and are told of each other's size",
      'terminals > a viewer that shows nothing holds the shell back, and nothing is lost for it',
    ],
  },
  {
    id: 'F-11',
    rule: 'A flood arrives line by line and can be interrupted',
    file: 'system/containers/terminals',
    tests: [
      'terminals > more lines than are kept arrive, every one of them',
      'terminals > a flood is interrupted by Ctrl-C while it comes',
    ],
  },
  {
    id: 'F-12',
    rule: 'A terminal ends when it is closed, with its container and with the engine, and so does what runs in it',
    file: 'system/containers/terminals',
    tests: [
      'terminals > what runs in a terminal that is closed is gone with it, and so is a shell that does not want to',
      'terminals > a Pod has terminals as well, which see what it sees, and end when it is stopped',
      'terminals > a terminal ends with its container, and says so',
      'terminals > a terminal ends with the engine, and what ran in it too',
    ],
  },
  {
    id: 'F-21',
    rule: 'What a close of a terminal would end is listed, without idle shells',
    file: 'system/containers/terminals',
    tests: ['terminals > what runs in a terminal is listed, and a shell that waits is nothing'],
  },
  {
    id: 'F-22',
    rule: 'A public key that is allowed opens a shell or a command in a Pod over SSH; nothing else does',
    file: 'system/containers/sshServer',
    tests: [
      'SSH into a Pod of this machine > a command has its exit code, its two outputs apart, and its input to the end',
      'SSH into a Pod of this machine > a shell has a terminal, which follows the size of the window',
      'SSH into a Pod of this machine > a program ends with the connection, unless it has left its session',
      'SSH into a Pod of this machine > a key that is not allowed, a password and another Pod are refused',
      'SSH into a Pod of this machine > the server opens with the first key, and the last one ends it with its connections',
      'SSH into a Pod of this machine > a key of RSA signs in, and after six wrong keys the connection is over',
      'SSH into a Pod of this machine > a Pod that does not run says so, in words',
    ],
  },
  {
    id: 'F-23',
    rule: 'SSH forwards every port of the Pod, and no other',
    file: 'system/containers/sshServer',
    tests: ['SSH into a Pod of this machine > a port is forwarded, also one that listens inside the container only'],
  },
  {
    id: 'F-24',
    rule: 'A key of the scope `all` connects to any TCP port of a Pod over a WebSocket',
    file: 'system/containers/podForwards',
    tests: [
      'a port of a Pod on another Hangar > carries every byte both ways, also of a server that speaks first, and counts them',
      'a port of a Pod on another Hangar > says in words what is wrong, and works again once that is over',
      'a port of a Pod on another Hangar > takes a key of the scope all, and a number that is a port',
    ],
  },
] satisfies Rule[];
