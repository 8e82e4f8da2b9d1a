import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';

interface Made {
  dispose(): unknown;
}

/**
 * Makes an object before each test of the file or `describe`, and disposes it afterwards. The result is a proxy for the
 * object of the running test.
 */
export function eachTest<T extends Made>(make: () => T | Promise<T>): T {
  const place: Place<T> = {};
  beforeEach(() => fill(place, make));
  afterEach(() => empty(place));
  return standIn(place);
}

/** Makes an object for all tests of the file or `describe`, and disposes it after the last. */
export function allTests<T extends Made>(make: () => T | Promise<T>): T {
  const place: Place<T> = {};
  beforeAll(() => fill(place, make));
  afterAll(() => empty(place));
  return standIn(place);
}

interface Place<T> {
  made?: T | undefined;
}

async function fill<T>(place: Place<T>, make: () => T | Promise<T>): Promise<void> {
  place.made = await make();
}

/** Disposes the object, unless making it failed, which the test reports. */
async function empty(place: Place<Made>): Promise<void> {
  await place.made?.dispose();
  place.made = undefined;
}

function standIn<T extends Made>(place: Place<T>): T {
  const current = () => {
    if (!place.made) throw new Error('It is made as a test begins.');
    return place.made;
  };
  return new Proxy({} as T, {
    get: (_, key) => {
      const value = Reflect.get(current(), key);
      return typeof value === 'function' ? value.bind(current()) : value;
    },
    set: (_, key, value) => Reflect.set(current(), key, value),
  });
}
