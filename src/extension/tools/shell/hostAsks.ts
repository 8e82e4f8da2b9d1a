/*
 * Asks the user about hosts that a sandboxed command requests without a grant. The connection waits for the answer and
 * then continues. Connections to one host share one ask. Up to eight hosts requested while an ask is open are combined
 * into the next. A command has at most five asks; then further hosts are refused.
 */

import { messageOf } from '../../base/errors.ts';
import type { InteractiveSandbox } from '../../core/tool.ts';
import type { Clock } from '../../platform/clock.ts';
import type { HostAccessDecision } from '../../platform/sandbox.ts';

/** How long a connection is held open, in milliseconds. Programs time out after some minutes themselves. */
const patience = 120_000;
/** Maximum asks of one command. */
const maxAsks = 5;
/** Maximum hosts of one ask. */
const maxHosts = 8;

type Ask = NonNullable<InteractiveSandbox['askToConnect']>;

interface Wanted {
  readonly host: string;
  readonly answer: Promise<HostAccessDecision>;
  readonly settle: (answer: HostAccessDecision) => void;
  connections: number;
  /** Called when the last connection has closed. */
  onLeft: () => void;
}

export class HostAskBatches {
  private readonly ask: Ask;
  private readonly clock: Pick<Clock, 'after'>;
  private readonly wanted = new Map<string, Wanted>();
  private readonly declined = new Set<string>();
  private waiting: Wanted[] = [];
  private asks = 0;
  private open = false;

  constructor(ask: Ask, clock: Pick<Clock, 'after'>) {
    this.ask = ask;
    this.clock = clock;
  }

  /** True while the command is blocked by an open ask. */
  get isOpen(): boolean {
    return this.open;
  }

  /** Hosts that the user declined. */
  get refused(): readonly string[] {
    return [...this.declined];
  }

  readonly decide = (host: string, gone: AbortSignal): Promise<HostAccessDecision> => {
    if (!isName(host)) return Promise.resolve(refuse(`${JSON.stringify(host)} is no name of a host.`));
    const wanted = this.wanted.get(host) ?? this.add(host);
    wanted.connections += 1;
    const leave = () => {
      wanted.connections -= 1;
      if (wanted.connections === 0) wanted.onLeft();
    };
    if (gone.aborted) leave();
    else gone.addEventListener('abort', leave, { once: true });
    void this.askNext();
    return wanted.answer;
  };

  private add(host: string): Wanted {
    let settle: Wanted['settle'] = () => {};
    const answer = new Promise<HostAccessDecision>(resolve => {
      settle = resolve;
    });
    const wanted: Wanted = { host, answer, settle, connections: 0, onLeft: () => this.drop(wanted) };
    this.wanted.set(host, wanted);
    this.waiting.push(wanted);
    return wanted;
  }

  /** Nobody waits for it any more and the user was not asked. The next request asks again. */
  private drop(wanted: Wanted): void {
    this.waiting = this.waiting.filter(each => each !== wanted);
    this.wanted.delete(wanted.host);
    wanted.settle(refuse('The connection was given up.'));
  }

  private async askNext(): Promise<void> {
    if (this.open) return;
    if (this.asks >= maxAsks) {
      for (const { host, settle } of this.waiting.splice(0))
        settle(refuse(`This command has asked ${maxAsks} times already, so ${host} is not asked about.`));
      return;
    }
    const asked = this.waiting.splice(0, maxHosts);
    if (asked.length === 0) return;
    this.open = true;
    this.asks += 1;
    const answer = await this.askAbout(asked);
    this.open = false;
    for (const wanted of asked) {
      // An answer counts even if all connections close.
      wanted.onLeft = () => {};
      wanted.settle(answer);
    }
    void this.askNext();
  }

  private async askAbout(asked: readonly Wanted[]): Promise<HostAccessDecision> {
    const withdrawn = new AbortController();
    const hosts = asked.map(({ host }) => host);
    const late = `Nobody answered within ${patience / 60_000} minutes whether it may connect to ${hosts.join(', ')}.`;
    const endPatience = this.clock.after(patience, () => withdrawn.abort(new Error(late)));
    for (const each of asked) {
      each.onLeft = () => {
        if (asked.some(({ connections }) => connections > 0)) return;
        for (const { host } of asked) this.wanted.delete(host);
        withdrawn.abort(new Error('The connection was given up.'));
      };
    }
    try {
      const answer = await this.ask(hosts, withdrawn.signal);
      if (answer.kind === 'refused') for (const host of hosts) this.declined.add(host);
      return answer;
    } catch (error) {
      return refuse(messageOf(error));
    } finally {
      endPatience();
    }
  }
}

/** Users read this text, so it must be only a name or an address. */
function isName(host: string): boolean {
  return host.length <= 253 && /^(?:[a-z0-9](?:[a-z0-9_.-]*[a-z0-9])?|[0-9a-f:]+)$/.test(host);
}

function refuse(why: string): HostAccessDecision {
  return { kind: 'refused', why: `The sandbox does not let this command connect. ${why}` };
}
