import type { ModelFailureKind } from '../../../protocol/routing.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ModelError } from '../model.ts';
import { unavailableUntil } from './failure.ts';

/**
 * `shaky`: it failed temporarily, and is tried once per turn until it answers. `out`: it is not used until then;
 * `error` tells why.
 */
type Health =
  | { readonly status: 'healthy' }
  | { readonly status: 'shaky' }
  | {
      readonly status: 'out';
      readonly kind: ModelFailureKind;
      readonly error: ModelError;
      /** Milliseconds since the Unix epoch. */
      readonly until: number;
    };

const healthy: Health = { status: 'healthy' };

/**
 * Health of the provider's models as seen by this window. Sessions share it, since a quota belongs to the key. It is
 * not stored: a model that is still unavailable fails again quickly. A model of the same name at another provider or
 * URL is a different one.
 */
export class ModelAvailability {
  private readonly clock: Pick<Clock, 'now'>;
  private readonly place: () => string;
  private readonly known = new Map<string, Health>();

  /** @param place identifies the current provider and URL */
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

  /** Call when it answered, or a user wants to try it. */
  markHealthy(model: string): void {
    this.known.delete(this.nameOf(model));
  }

  /** Does not replace the status `out`. */
  markShaky(model: string): void {
    if (this.isAvailable(model)) this.known.set(this.nameOf(model), { status: 'shaky' });
  }

  markOut(model: string, kind: ModelFailureKind, error: ModelError): void {
    const until = unavailableUntil(error, this.clock.now());
    this.known.set(this.nameOf(model), { status: 'out', kind, error, until });
  }

  private nameOf(model: string): string {
    return `${this.place()}\n${model}`;
  }
}
