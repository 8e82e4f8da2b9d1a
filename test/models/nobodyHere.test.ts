import { describe, expect, test } from 'vitest';
import { describeAddressSource } from '../../src/extension/models/wire/addressAdvice.ts';
import {
  findClosedLocalPort,
  findNetworkFailure,
  networkFailureError,
  whatToCheck,
} from '../../src/extension/models/wire/networkErrors.ts';

function refusal(address: string, code = 'ECONNREFUSED'): Error {
  return Object.assign(new Error(code), { code, address, port: 8080 });
}

const fetchFailed = (cause: unknown) => new TypeError('fetch failed', { cause });
const several = (...errors: readonly Error[]) =>
  fetchFailed(Object.assign(new AggregateError(errors), { code: 'ECONNREFUSED' }));

describe('nobody listens on this machine', () => {
  test.each([
    ['where its address refuses', fetchFailed(refusal('127.0.0.1')), '127.0.0.1:8080'],
    ['where both of its addresses refuse', several(refusal('::1'), refusal('127.0.0.1')), '[::1]:8080'],
  ])('%s', (_when, error, place) => {
    expect(findClosedLocalPort(error)).toBe(place);
  });

  test.each([
    ['where a host elsewhere refuses, which may only be starting', fetchFailed(refusal('192.168.0.7'))],
    ['where one of several addresses is elsewhere', several(refusal('127.0.0.1'), refusal('10.0.0.1'))],
    ['where something else happened', fetchFailed(refusal('127.0.0.1', 'ECONNRESET'))],
    ['where the error names no address', fetchFailed(Object.assign(new Error(), { code: 'ECONNREFUSED' }))],
  ])('is not said %s', (_when, error) => {
    expect(findClosedLocalPort(error)).toBeUndefined();
  });
});

describe('a connection that failed', () => {
  const words = { setting: 'folio.baseUrl', variable: 'GOOGLE_GEMINI_BASE_URL' };
  const lookup = (hostname: string) =>
    fetchFailed(Object.assign(new Error(), { code: 'ENOTFOUND', hostname }));

  test.each([
    ['a proxy elsewhere that refuses', refusal('10.0.0.5'), '', '(ECONNREFUSED 10.0.0.5:8080)'],
    ['a proxy whose name is unknown', lookup('proxy.corp'), '', '(ENOTFOUND proxy.corp)'],
    ['the proxy as what to look at', refusal('10.0.0.5'), '', 'variable HTTPS_PROXY'],
    ['the setting', lookup('models.lan'), 'http://models.lan', 'the setting folio.baseUrl is right'],
  ])('names %s', (_what, error, address, said) => {
    const network = findNetworkFailure(error)!;
    const check = whatToCheck(network, address, words);
    const { message } = networkFailureError(network, error, () => ({ server: 'Gemini', check }));
    expect(message).toContain(said);
  });

  test.each([
    ['the setting', 'http://one', { GOOGLE_GEMINI_BASE_URL: 'http://two' }, 'the setting folio.baseUrl'],
    ['the variable', 'http://one', { GOOGLE_GEMINI_BASE_URL: ' http://one/ ' }, 'the variable GOOGLE_'],
    ['no variable for an own address', '', { GOOGLE_GEMINI_BASE_URL: '' }, 'the setting folio.baseUrl'],
  ])('says that the address is from %s', (_where, address, env, said) => {
    expect(describeAddressSource(words, address, env)).toContain(said);
  });
});
