/*
 * Messages between a client and the background host, one JSON object a line. A connection begins with the token and
 * one order, which determines the messages that follow.
 */

import * as z from 'zod';

const sessionId = z.string().min(1);

/** A session to run in the host. */
const run = z.object({
  type: z.literal('run'),
  /** Command-line arguments of a run with a prompt or `--resume`. */
  args: z.array(z.string()),
  /** Absolute. Paths in `args` are relative to it. */
  cwd: z.string(),
  /** Absolute. Absent: the workspace that `args` names. */
  folders: z.array(z.string()).optional(),
  /** Environment of the client, keys included. The host keeps it in memory only. */
  env: z.record(z.string(), z.string()),
});
export type RunOrder = z.infer<typeof run>;

const order = z.discriminatedUnion('type', [
  run,
  /** Continues a session that was running when its host was killed. */
  z.object({ type: z.literal('resume'), sessionId, env: run.shape.env }),
  z.object({ type: z.literal('list') }),
  /** Sends the list of sessions, and again whenever it changes. */
  z.object({ type: z.literal('watch') }),
  /** Sends all events of a session. Lines of the client are its input, as with `--input-format stream-json`. */
  z.object({ type: z.literal('attach'), sessionId }),
  /** Closes a session so that the client can open it and send `taken`. Otherwise the host runs it again. */
  z.object({ type: z.literal('take'), sessionId }),
  z.object({ type: z.literal('stop'), sessionId }),
]);
export type BackgroundOrder = z.infer<typeof order>;

export const helloSchema = z.object({ token: z.string(), order });
export const takenSchema = z.object({ type: z.literal('taken') });

/**
 * The status in a window, or `coming`: its journal is being opened; `queued`: it waits for a free place;
 * `interrupted`: its host was killed.
 */
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
  /** Name of the worktree that the session works in. */
  worktree: z.string().optional(),
  /** An `OpenSession` for session lists, trusted since the user's own host made it. Absent: not open. */
  facts: z.unknown().optional(),
});
export type BackgroundSession = z.infer<typeof listed>;

export const replySchema = z.discriminatedUnion('type', [
  /** The order is recorded: the session runs even if the client disconnects. */
  z.object({ type: z.literal('accepted') }),
  z.object({ type: z.literal('opened'), sessionId }),
  z.object({ type: z.literal('sessions'), sessions: z.array(listed) }),
  z.object({ type: z.literal('event'), event: z.unknown() }),
  /** All past events were sent. */
  z.object({ type: z.literal('caughtUp') }),
  /** `line`: number in this connection, from 1. */
  z.object({ type: z.literal('refused'), line: z.number(), reason: z.string() }),
  /** `goesOn`: the session was in the middle of a turn. */
  z.object({ type: z.literal('given'), goesOn: z.boolean() }),
  /** After `attach`: the session rests and has left the host. After `stop`: it has stopped. */
  z.object({ type: z.literal('ended') }),
  z.object({ type: z.literal('failed'), message: z.string() }),
]);
export type BackgroundReply = z.infer<typeof replySchema>;
