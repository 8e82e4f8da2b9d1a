import { isRecord, tryParseJson } from '../../base/record.ts';

/* Some servers answer status 200 with an error as a whole, where events are expected: nothing would be left of its words. */

/** Takes the place of an answer; the error's `error` is what the server said. */
class WholeError extends Error {
  readonly error: unknown;

  constructor(error: unknown) {
    super('The server answered with an error.');
    this.error = error;
  }
}

/** Gives the answer on. Rejects when it is an error. */
export async function withoutWholeError(response: Response): Promise<Response> {
  if (!/json/i.test(response.headers.get('content-type') ?? '')) return response;
  const text = await response.text();
  const error = findError(text);
  if (error) throw new WholeError(error);
  return new Response(text, { status: response.status, headers: response.headers });
}

function findError(text: string): unknown {
  const whole = tryParseJson(text);
  return isRecord(whole) ? whole.error : undefined;
}
