/* Resources of servers, mentioned as `@server:address`. */

import type { Blob } from '../../../protocol/events.ts';
import type { ParsedMention, PathCandidate } from './parseMentions.ts';

/** A port: running servers, as implemented by `mcp/mcpServers.ts`. */
export interface ServerResources {
  resources(): readonly MentionableResource[];
  templates(): readonly ResourceTemplate[];
  /** Rejects with a sentence. */
  readResource(
    server: string,
    uri: string,
    signal: AbortSignal,
  ): Promise<{ readonly text: string; readonly blobs: readonly Blob[] }>;
}

export interface MentionableResource {
  readonly server: string;
  readonly uri: string;
  readonly name: string;
  readonly description: string;
}

/** URI templates with names in braces: `notes://{year}/{title}`. */
export interface ResourceTemplate {
  readonly server: string;
  readonly uriTemplate: string;
  readonly name: string;
  readonly description: string;
}

export interface ResourceMention {
  readonly kind: 'resource';
  /** As it stands in the prompt. */
  readonly text: string;
  readonly server: string;
  readonly uri: string;
}

/**
 * Addresses look like paths, unless the name before the first colon is a known server and the rest is listed, fits a
 * template, or can only be a URI.
 */
export function findResource(
  thing: ParsedMention,
  servers: ServerResources | undefined,
): ResourceMention | undefined {
  if (thing.kind !== 'path' || !servers) return undefined;
  const named = thing.readings.flatMap(reading => toMention(reading) ?? []);
  if (named.length === 0) return undefined;
  const resources = servers.resources();
  const templates = servers.templates();
  const offered = named.find(
    ({ server, uri }) =>
      resources.some(each => each.server === server && each.uri === uri) ||
      templates.some(each => each.server === server && fits(uri, each.uriTemplate)),
  );
  if (offered) return offered;
  const shortest = named.at(-1)!;
  const isOfServer = [...resources, ...templates].some(({ server }) => server === shortest.server);
  return isOfServer && /^[a-z][a-z0-9+.-]*:./i.test(shortest.uri) ? shortest : undefined;
}

function toMention(reading: PathCandidate): ResourceMention | undefined {
  const whole = toResourceUri(reading);
  const colon = whole.indexOf(':');
  if (colon < 1 || colon === whole.length - 1) return undefined;
  return {
    kind: 'resource',
    text: reading.text,
    server: whole.slice(0, colon),
    uri: whole.slice(colon + 1),
  };
}

/** In an address, a number after the last colon is a part of it, not a line. */
export function toResourceUri({ text, path, lines }: PathCandidate): string {
  if (lines === undefined) return path;
  return path + (/(?::\d+(?:[-:]\d+)?)$/.exec(text)?.[0] ?? '');
}

/**
 * Tells whether the template's fixed parts occur in order. It avoids a regular expression, since a server's template
 * could make that extremely slow.
 */
function fits(uri: string, uriTemplate: string): boolean {
  const parts = uriTemplate.split(/\{[^{}]*\}/);
  if (parts.length === 1) return uri === uriTemplate;
  const last = parts.at(-1)!;
  if (!uri.startsWith(parts[0]!)) return false;
  let at = parts[0]!.length;
  for (const part of parts.slice(1, -1)) {
    const found = uri.indexOf(part, at + 1);
    if (found < 0) return false;
    at = found + part.length;
  }
  return uri.length - last.length > at && uri.endsWith(last);
}
