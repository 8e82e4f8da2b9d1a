/* A session with a real provider and a misbehaving server, and its invariants. */

import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import { History } from '../../src/extension/core/history/history.ts';
import { idleTimeoutMs } from '../../src/extension/models/wire/boundedSend.ts';
import type { SessionEvent } from '../../src/protocol/events.ts';
import type { Failure } from '../../src/protocol/values.ts';
import { callFaults, historyFaults } from './checkHistory.ts';
import { makeWorld, type World } from './conversation.ts';
import { apiKey, type Wire } from './faultWires.ts';
import { type FaultyAnswer, FaultyServer, streamed } from './faultyServer.ts';
import { ManualClock } from './manualClock.ts';

export interface FaultWorldOptions {
  /** Replaces the origin of the server. */
  readonly origin?: (server: FaultyServer) => string;
}

export class FaultWorld {
  readonly wire: Wire;
  readonly server: FaultyServer;
  readonly world: World;
  /** Clock by which the provider measures silence of the server. */
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

  /** Returns a correct answer of this wire. */
  good(text: string): FaultyAnswer {
    return streamed(this.wire.text(text), this.wire.finish);
  }

  /** Adds silence up to the timeout after an answer. */
  thenSilence(answer: FaultyAnswer): FaultyAnswer {
    return async connection => {
      await answer(connection);
      // Usually the sent bytes have arrived by now. If not, the result is the same.
      await setTimeout(30);
      if (!connection.gone.aborted) this.clock.pass(idleTimeoutMs);
    };
  }

  /** Expects that the turn ends with this text of the model. */
  async expectAnswer(prompt: string, text: string): Promise<void> {
    const end = await this.world.session.send(prompt);
    expect(end).toEqual({ kind: 'rested' });
    const said = this.messages().at(-1)!;
    expect(said.role).toBe('model');
    expect(said.parts.map(part => (part.kind === 'text' ? part.text : '')).join('')).toBe(text);
  }

  /** Expects that the turn fails with an error that the user can act on. */
  async expectFailure(prompt: string): Promise<Failure> {
    const end = await this.world.session.send(prompt);
    if (end.kind !== 'failed') throw new Error(`The turn did not fail: ${JSON.stringify(end)}`);
    expectSentence(end.trouble.message);
    return end.trouble;
  }

  /** Expects that the session continues and nothing is left of the fault. */
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

/** Expects that a fault, repeated `times` times before a good answer, is retried without traces. */
export async function expectTriedAgain(wire: Wire, fault: FaultyAnswer, times: number): Promise<void> {
  const world = await FaultWorld.make(wire);
  world.server.script.push(...Array.from({ length: times }, () => fault), world.good('Here it is.'));
  await world.expectAnswer('Hello.', 'Here it is.');
  expect(world.retries).toHaveLength(times);
  await world.expectSound();
  await world.server.stop();
}

/** Expects that a lasting fault ends with one message after the configured attempts. */
export async function expectOneSentence(wire: Wire, fault: FaultyAnswer, says: RegExp): Promise<void> {
  const world = await FaultWorld.make(wire);
  world.server.always = fault;
  expect((await world.expectFailure('Hello.')).message).toMatch(says);
  expect(world.server.requests.length).toBe(world.retries.length + 1);
  await world.expectSound();
  await world.server.stop();
}

/** Expects one or two sentences for users: what happened, and what to do. */
export function expectSentence(message: string): void {
  expect(message).toMatch(/^[A-Z].*\.$/);
  expect(message).not.toContain('\n');
  expect(message).not.toMatch(/undefined|\[object|please|!|\bat \S+:\d+:\d+|Error:|<\w+/i);
  expect(message).not.toContain(apiKey);
  expect(message).toMatch(/retry|check|choose|set |wait|start|correct|put /i);
  // Text in parentheses is from the server.
  const sentences = message.replace(/\([^)]*\)/g, '').split(/\.\s+(?=[A-Z"])/);
  expect(sentences.length, message).toBeLessThanOrEqual(2);
  expect(message.length, message).toBeLessThan(500);
}
