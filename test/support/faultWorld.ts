/* A session over a real provider and a server that misbehaves, and what must hold whatever the server did. */

import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import { History } from '../../src/extension/core/history/history.ts';
import { silenceLimitMs } from '../../src/extension/models/wire/boundedSend.ts';
import type { SessionEvent } from '../../src/protocol/events.ts';
import type { Failure } from '../../src/protocol/values.ts';
import { callFaults, historyFaults } from './checkHistory.ts';
import { makeWorld, type World } from './conversation.ts';
import { apiKey, type Wire } from './faultWires.ts';
import { type FaultyAnswer, FaultyServer, streamed } from './faultyServer.ts';
import { ManualClock } from './manualClock.ts';

export interface FaultWorldOptions {
  /** In place of the server's own. */
  readonly origin?: (server: FaultyServer) => string;
}

export class FaultWorld {
  readonly wire: Wire;
  readonly server: FaultyServer;
  readonly world: World;
  /** By which the provider knows how long the server has been silent; it stands still. */
  readonly clock = new ManualClock();

  private constructor(wire: Wire, server: FaultyServer, origin: string) {
    this.wire = wire;
    this.server = server;
    this.world = makeWorld({
      answers: [],
      mode: 'yolo',
      model: 'gemini-2.5-pro',
      files: { 'a.txt': 'alpha' },
      provider: wire.provider(origin, this.clock),
    });
  }

  static async make(wire: Wire, { origin }: FaultWorldOptions = {}): Promise<FaultWorld> {
    const server = new FaultyServer();
    if (wire.shelved) server.shelved = wire.shelved;
    await server.start();
    return new FaultWorld(wire, server, origin?.(server) ?? server.origin);
  }

  get events(): readonly SessionEvent[] {
    return this.world.events;
  }

  get retries(): readonly SessionEvent<'step.retried'>[] {
    return this.events.filter(event => event.type === 'step.retried');
  }

  /** An answer of this wire without any fault. */
  good(text: string): FaultyAnswer {
    return streamed(this.wire.text(text), this.wire.finish);
  }

  /** The same answer, and then the longest silence that is borne. */
  thenSilence(answer: FaultyAnswer): FaultyAnswer {
    return async connection => {
      await answer(connection);
      // What was sent arrives before; where it does not, the silence began earlier and ends the same.
      await setTimeout(30);
      if (!connection.gone.aborted) this.clock.pass(silenceLimitMs);
    };
  }

  /** The prompt ends with this text as the newest of the model's. */
  async expectAnswer(prompt: string, text: string): Promise<void> {
    const end = await this.world.session.send(prompt);
    expect(end).toEqual({ kind: 'rested' });
    const said = this.messages().at(-1)!;
    expect(said.role).toBe('model');
    expect(said.parts.map(part => (part.kind === 'text' ? part.text : '')).join('')).toBe(text);
  }

  /** The prompt ends with a problem that a user can do something about. */
  async expectFailure(prompt: string): Promise<Failure> {
    const end = await this.world.session.send(prompt);
    if (end.kind !== 'failed') throw new Error(`The turn did not fail: ${JSON.stringify(end)}`);
    expectSentence(end.trouble.message);
    return end.trouble;
  }

  /** What must hold after anything: the session continues, and nothing is left of what went wrong. */
  async expectSound(): Promise<void> {
    const { server, wire, world } = this;
    server.script.length = 0;
    server.always = this.good('It continues.');
    await this.expectAnswer('Continue.', 'It continues.');
    expect(server.requests.map(request => wire.findFault(request))).toEqual(
      server.requests.map(() => undefined),
    );
    expect(historyFaults(this.messages())).toEqual([]);
    expect(callFaults(this.events)).toEqual([]);
    for (const { reason } of this.retries) expectSentence(reason);
    await expect.poll(() => server.open, { message: 'connections are left open' }).toBe(0);
    await world.session.dispose();
    expect(JSON.stringify([...world.store.journals.values()])).not.toContain(apiKey);
  }

  private messages() {
    const history = new History();
    for (const event of this.events) history.fold(event);
    return history.forRequest();
  }
}

/** So many faults, then a good answer: each is tried again, and nothing is left of them. */
export async function expectTriedAgain(wire: Wire, fault: FaultyAnswer, times: number): Promise<void> {
  const world = await FaultWorld.make(wire);
  world.server.script.push(...Array.from({ length: times }, () => fault), world.good('Here it is.'));
  await world.expectAnswer('Hello.', 'Here it is.');
  expect(world.retries).toHaveLength(times);
  await world.expectSound();
  await world.server.stop();
}

/** A fault that stays ends with one sentence, after as many tries as are told. */
export async function expectOneSentence(wire: Wire, fault: FaultyAnswer, says: RegExp): Promise<void> {
  const world = await FaultWorld.make(wire);
  world.server.always = fault;
  expect((await world.expectFailure('Hello.')).message).toMatch(says);
  expect(world.server.requests.length).toBe(world.retries.length + 1);
  await world.expectSound();
  await world.server.stop();
}

/** One or two sentences that say what happened and what to do, in words for a user. */
export function expectSentence(message: string): void {
  expect(message).toMatch(/^[A-Z].*\.$/);
  expect(message).not.toContain('\n');
  expect(message).not.toMatch(/undefined|\[object|please|!|\bat \S+:\d+:\d+|Error:|<\w+/i);
  expect(message).not.toContain(apiKey);
  expect(message).toMatch(/retry|check|choose|set |wait|start|correct|put /i);
  // What stands in parentheses is the server's.
  const sentences = message.replace(/\([^)]*\)/g, '').split(/\.\s+(?=[A-Z"])/);
  expect(sentences.length, message).toBeLessThanOrEqual(2);
  expect(message.length, message).toBeLessThan(500);
}
