/*
 * The messages between a client and the background host: a line of JSON each, the token and an order first. A
 * connection is for one order; what follows depends on it.
 */

import * as z from 'zod';

const sessionId = z.string().min(1);

/** A session that is to run in the host. */
const run = z.object({
  type: z.literal('run'),
  /** As on the command line, of a run with a prompt or with `--resume`. */
  args: z.array(z.string()),
  /** Absolute; where paths of the arguments begin. */
  cwd: z.string(),
  /** Absolute; absent: the workspace of the arguments. */
  folders: z.array(z.string()).optional(),
  /** The environment of whoever asks, keys included. It stays in memory. */
  env: z.record(z.string(), z.string()),
});
export type RunOrder = z.infer<typeof run>;

const order = z.discriminatedUnion('type', [
  run,
  /** Runs it again that was at work when a host was killed. */
  z.object({ type: z.literal('resume'), sessionId, env: run.shape.env }),
  z.object({ type: z.literal('list') }),
  /** The list, and again whenever it changes. */
  z.object({ type: z.literal('watch') }),
  /** All events of a session; lines of the client go to it, as on standard input with `--input-format stream-json`. */
  z.object({ type: z.literal('attach'), sessionId }),
  /** Closes it for the client, which opens it and says `taken`. Without that word the host runs it again. */
  z.object({ type: z.literal('take'), sessionId }),
  z.object({ type: z.literal('stop'), sessionId }),
]);
export type Order = z.infer<typeof order>;

export const hello = z.object({ token: z.string(), order });
export const taken = z.object({ type: z.literal('taken') });

/** As in the window; `coming`: its journal is being opened; `queued`: waits for a free place; `interrupted`: its host was killed. */
const status = z.enum([
  'coming',
  'queued',
  'working',
  'waiting',
  'reviewing',
  'failed',
  'resting',
  'interrupted',
]);
export type BackgroundStatus = z.infer<typeof status>;

const listed = z.object({
  sessionId,
  title: z.string(),
  status,
  folders: z.array(z.string()),
  /** The name of the worktree that it works in. */
  worktree: z.string().optional(),
  /** An `OpenSession` for the lists of windows, which the user's own host made; absent: it is not open. */
  facts: z.unknown().optional(),
});
export type BackgroundSession = z.infer<typeof listed>;

export const reply = z.discriminatedUnion('type', [
  /** It is written down: from now on it runs, also when the client goes. */
  z.object({ type: z.literal('accepted') }),
  z.object({ type: z.literal('opened'), sessionId }),
  z.object({ type: z.literal('sessions'), sessions: z.array(listed) }),
  z.object({ type: z.literal('event'), event: z.unknown() }),
  /** All that happened before was sent. */
  z.object({ type: z.literal('caughtUp') }),
  /** `line`: of this connection, from 1. */
  z.object({ type: z.literal('refused'), line: z.number(), reason: z.string() }),
  /** `goesOn`: it was in the middle of something. */
  z.object({ type: z.literal('given'), goesOn: z.boolean() }),
  /** Attached: it rests and has left the host. Asked to stop: it has. */
  z.object({ type: z.literal('ended') }),
  z.object({ type: z.literal('failed'), message: z.string() }),
]);
export type Reply = z.infer<typeof reply>;
