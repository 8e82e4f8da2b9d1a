import { describe, expect, test } from 'vitest';
import { findNobodyHere } from '../../src/extension/models/wire/networkErrors.ts';

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
    expect(findNobodyHere(error)).toBe(place);
  });

  test.each([
    ['where a host elsewhere refuses, which may only be starting', fetchFailed(refusal('192.168.0.7'))],
    ['where one of several addresses is elsewhere', several(refusal('127.0.0.1'), refusal('10.0.0.1'))],
    ['where something else happened', fetchFailed(refusal('127.0.0.1', 'ECONNRESET'))],
    ['where the error names no address', fetchFailed(Object.assign(new Error(), { code: 'ECONNREFUSED' }))],
  ])('is not said %s', (_when, error) => {
    expect(findNobodyHere(error)).toBeUndefined();
  });
});
