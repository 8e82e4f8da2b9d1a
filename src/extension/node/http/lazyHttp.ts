import type { Http } from '../../platform/http/http.ts';

/** Most runs never read from the web, so what it takes is loaded when they do. */
export function lazyHttp(): Http {
  let loaded: Promise<Http> | undefined;
  return {
    get: async (request, signal) => {
      loaded ??= import('./nodeHttp.ts').then(({ NodeHttp }) => new NodeHttp());
      return (await loaded).get(request, signal);
    },
  };
}
