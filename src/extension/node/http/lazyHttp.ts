import type { Http } from '../../platform/http/http.ts';

/** Loads the HTTP client on the first request, because most runs never read from the web. */
export function lazyHttp(): Http {
  let loaded: Promise<Http> | undefined;
  return {
    get: async (request, signal) => {
      loaded ??= import('./nodeHttp.ts').then(({ NodeHttp }) => new NodeHttp());
      return (await loaded).get(request, signal);
    },
  };
}
