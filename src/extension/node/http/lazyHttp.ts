import { once } from '../../base/once.ts';
import type { Http } from '../../platform/http/http.ts';

/** Loads the HTTP client on the first request, because most runs never read from the web. */
export function lazyHttp(): Http {
  const load = once(async () => new (await import('./nodeHttp.ts')).NodeHttp());
  return { get: async (request, signal) => (await load()).get(request, signal) };
}
