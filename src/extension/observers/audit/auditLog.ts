/*
 * Writes an audit log: JSON lines, each with the SHA-256 of the line before it, so that a changed, removed or moved line
 * breaks the chain. A file beside it contains the newest hash, which reveals a truncated log.
 *
 *     {"seq":1,"prev":"000…",…}  ◄─ hash ─┐
 *     {"seq":2,"prev":"4bf…",…}  ─────────┘  ◄─ hash ── FILE.head
 *
 * Someone who can write both files can forge both: only a hash stored elsewhere reveals that.
 */

import { createHash } from 'node:crypto';
import { closeSync, fdatasync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type EmittedEvent, isAgentEvent } from '../../../protocol/fold/agents.ts';
import { messageOf } from '../../base/errors.ts';
import { maskEvent } from '../../core/recording/maskEvent.ts';
import type { Clock } from '../../platform/clock.ts';
import { AuditEntries } from './auditEntries.ts';

export const zeroHash = '0'.repeat(64);

export function hashOf(line: string): string {
  return createHash('sha256').update(line).digest('hex');
}

/** The file next to a log with its newest hash. */
export function hashFileOf(path: string): string {
  return `${path}.head`;
}

interface AuditPorts {
  readonly clock: Clock;
  readonly warn: (sentence: string) => void;
  /** Folio's version. */
  readonly version: string;
}

/** The log file of a process. Each line is passed to the system before the next event is handled. */
export class AuditLog {
  private readonly ports: AuditPorts;
  private readonly path: string;
  private file: number | undefined;
  private head = { seq: 0, hash: zeroHash };
  private syncing: Promise<void> | undefined;

  /** Never throws: reports a write failure once. @param folder absolute path */
  constructor(folder: string, ports: AuditPorts) {
    this.ports = ports;
    const day = new Date(ports.clock.now()).toISOString().slice(0, 10);
    this.path = join(folder, `audit-${day}-${ports.clock.newId()}.jsonl`);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      this.file = openSync(this.path, 'ax', 0o600);
      this.append(ports.clock.now(), { event: 'log.started', version: ports.version, process: process.pid });
    } catch (error) {
      this.fail(error);
    }
  }

  /** Returns the handler for a session's events, in order. */
  follow(session: string): (reported: EmittedEvent) => void {
    const conversations = new Map<string, AuditEntries>();
    return reported => {
      const of = isAgentEvent(reported) ? reported : { callId: '', agent: undefined, event: reported };
      const entries = conversations.get(of.callId) ?? new AuditEntries();
      conversations.set(of.callId, entries);
      const event = maskEvent(of.event);
      const entry = entries.entryOf(event);
      if (entry) this.append(event.at, { session, agent: of.agent, event: event.type, ...entry });
    };
  }

  /** Resolves when everything is on disk. */
  async close(): Promise<void> {
    this.append(this.ports.clock.now(), { event: 'log.ended' });
    await this.sync();
    if (this.file !== undefined) closeSync(this.file);
    this.file = undefined;
  }

  private append(at: number, members: Readonly<Record<string, unknown>>): void {
    if (this.file === undefined) return;
    const { seq, hash: prev } = this.head;
    const line = JSON.stringify({ seq: seq + 1, at: new Date(at).toISOString(), prev, ...members });
    try {
      writeSync(this.file, `${line}\n`);
      this.head = { seq: seq + 1, hash: hashOf(line) };
      writeFileSync(hashFileOf(this.path), `${JSON.stringify(this.head)}\n`, { mode: 0o600 });
      void this.sync();
    } catch (error) {
      this.fail(error);
    }
  }

  /** One at a time. Never rejects. */
  private sync(): Promise<void> {
    const { file } = this;
    if (file === undefined) return Promise.resolve();
    this.syncing ??= dataSync(file)
      .catch((error: unknown) => this.fail(error))
      .finally(() => {
        this.syncing = undefined;
      });
    return this.syncing;
  }

  private fail(error: unknown): void {
    this.file = undefined;
    this.ports.warn(`The audit log ${this.path} cannot be written and ends here: ${messageOf(error)}`);
  }
}

const dataSync = promisify(fdatasync);
