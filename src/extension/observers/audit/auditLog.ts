/*
 * An audit log: lines of JSON, each with the SHA-256 of the line before it, so that a line that is changed, removed or
 * moved does not fit any more. The newest hash stands in a file beside it, which shows a cut end.
 *
 *     {"seq":1,"prev":"000…",…}  ◄─ hash ─┐
 *     {"seq":2,"prev":"4bf…",…}  ─────────┘  ◄─ hash ── FILE.head
 *
 * Whoever may write both files can write both again: only a hash that is kept elsewhere shows that.
 */

import { createHash } from 'node:crypto';
import { closeSync, fdatasync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type EmittedEvent, isOfAgent } from '../../../protocol/fold/agents.ts';
import { messageOf } from '../../base/errors.ts';
import { maskEvent } from '../../core/recording/maskEvent.ts';
import type { Clock } from '../../platform/clock.ts';
import { AuditEntries } from './auditEntries.ts';

export const noHash = '0'.repeat(64);

export function hashOf(line: string): string {
  return createHash('sha256').update(line).digest('hex');
}

/** The file beside a log that has its newest hash. */
export function headOf(path: string): string {
  return `${path}.head`;
}

interface AuditPorts {
  readonly clock: Clock;
  /** Takes a sentence for the user. */
  readonly warn: (sentence: string) => void;
  /** Folio's. */
  readonly version: string;
}

/** One file of a process. Each line is with the system before the next event is heard. */
export class AuditLog {
  private readonly ports: AuditPorts;
  private readonly path: string;
  private file: number | undefined;
  private head = { seq: 0, hash: noHash };
  private syncing: Promise<void> | undefined;

  /** Never throws: what cannot be written is reported once. @param folder absolute */
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

  /** Returns what takes the events of a session, in their order. */
  follow(session: string): (reported: EmittedEvent) => void {
    const conversations = new Map<string, AuditEntries>();
    return reported => {
      const of = isOfAgent(reported) ? reported : { callId: '', agent: undefined, event: reported };
      const entries = conversations.get(of.callId) ?? new AuditEntries();
      conversations.set(of.callId, entries);
      const event = maskEvent(of.event);
      const entry = entries.entryOf(event);
      if (entry) this.append(event.at, { session, agent: of.agent, event: event.type, ...entry });
    };
  }

  /** Resolves when all is on the disk. */
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
      writeFileSync(headOf(this.path), `${JSON.stringify(this.head)}\n`, { mode: 0o600 });
      void this.sync();
    } catch (error) {
      this.fail(error);
    }
  }

  /** One at a time; never rejects. */
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
