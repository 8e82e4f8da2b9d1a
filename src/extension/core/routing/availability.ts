import type { FailureKind } from '../../../protocol/routing.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ModelError } from '../model.ts';
import { unavailableUntil } from './failure.ts';

/**
 * `shaky`: it failed in passing, and is tried once at the beginning of each turn until it answers; `out`: it is left
 * alone until then, and `error` says why.
 */
type Health =
  | { readonly status: 'healthy' }
  | { readonly status: 'shaky' }
  | {
      readonly status: 'out';
      readonly kind: FailureKind;
      readonly error: ModelError;
      /** Milliseconds since the Unix epoch. */
      readonly until: number;
    };

const healthy: Health = { status: 'healthy' };

/**
 * How the models of the provider are, as far as this window has seen; shared by its sessions, since a quota is the
 * key's and not a session's. Nothing of it outlives the window: a model that is still out says so at once. A model of
 * the same name at another place is another one, with a quota of its own.
 */
export class Availability {
  private readonly clock: Pick<Clock, 'now'>;
  private readonly place: () => string;
  private readonly known = new Map<string, Health>();

  /** @param place who is asked at the moment, and where */
  constructor(clock: Pick<Clock, 'now'>, place: () => string = () => '') {
    this.clock = clock;
    this.place = place;
  }

  healthOf(model: string): Health {
    const health = this.known.get(this.nameOf(model)) ?? healthy;
    if (health.status !== 'out' || this.clock.now() < health.until) return health;
    this.known.delete(this.nameOf(model));
    return healthy;
  }

  isAvailable(model: string): boolean {
    return this.healthOf(model).status !== 'out';
  }

  /** It answered, or a user wants it to be tried. */
  markHealthy(model: string): void {
    this.known.delete(this.nameOf(model));
  }

  /** Does not soften what is known to be out. */
  markShaky(model: string): void {
    if (this.isAvailable(model)) this.known.set(this.nameOf(model), { status: 'shaky' });
  }

  markOut(model: string, kind: FailureKind, error: ModelError): void {
    const until = unavailableUntil(error, this.clock.now());
    this.known.set(this.nameOf(model), { status: 'out', kind, error, until });
  }

  private nameOf(model: string): string {
    return `${this.place()}\n${model}`;
  }
}
