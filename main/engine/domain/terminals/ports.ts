/** What terminals into containers are to the service: sessions that viewers come to and leave. */
import type { TerminalClientMessage, TerminalSession } from '#contract/local/terminal.ts';
import type { PodSshFacts, SshServerFacts } from '#contract/local/ssh/podSsh.ts';
import type { ByteSocket } from '../../../terminal/byteSocket.ts';
import type { TerminalSeat, TerminalViewer } from '../../../terminal/viewer.ts';

/** What a terminal leads into. */
export interface TerminalTarget {
  kind: TerminalSession['kind'];
  /** Of the Pod or the worker. */
  id: string;
}

/** All of it rejects with AppError. */
export interface Terminals {
  /** Rejects where no container can be had a terminal into, also not later, in words for a person. */
  find(target: TerminalTarget): Promise<void>;
  /**
   * Begins a session, or comes back to one. The viewer is told `attached` and all output from there on before it
   * settles. A new session of a Pod that is being started waits until its container runs, and tells the viewer why
   * (`link`). `left` aborts that wait.
   */
  attach(
    target: TerminalTarget,
    request: Extract<TerminalClientMessage, { type: 'attach' }>,
    viewer: TerminalViewer,
    left?: AbortSignal,
  ): Promise<TerminalSeat & { close(): Promise<void> }>;
  list(): TerminalSession[];
  /** The command lines of what runs in a terminal beside idle shells; null if that is not known. */
  programs(id: string): Promise<string[] | null>;
  /** Ends the shell and what it runs. */
  close(id: string): Promise<void>;
  /** Ends all of them. */
  stop(): Promise<void>;
}

/** SSH into Pods. */
export interface PodSsh {
  /** How a person signs in to the Pod. Rejects with NOT_FOUND for an unknown Pod. */
  of(podId: string): Promise<PodSshFacts>;
  /** The server, and the settings it has. */
  server(): Promise<SshServerFacts>;
}

/** An open connection to a port of a Pod. */
export interface PodConnection {
  /** Passes its bytes on to the WebSocket until one of the two ends. */
  join(socket: ByteSocket): void;
  close(): void;
}

/** The TCP ports of Pods, as programs in the Pod reach them. */
export interface PodPorts {
  /** Rejects in words for a person: NOT_FOUND without a running container, UPSTREAM if nothing listens at the port. */
  connect(podId: string, port: number): Promise<PodConnection>;
}
