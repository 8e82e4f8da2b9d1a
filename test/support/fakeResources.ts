import type {
  MentionableResource,
  ResourceTemplate,
  ServerResources,
} from '../../src/extension/core/mentions/resources.ts';
import type { Blob } from '../../src/protocol/events.ts';

/** Servers with given resources. Records what is read. */
export class FakeResources implements ServerResources {
  readonly asked: string[] = [];
  readonly texts = new Map<string, string>();
  blobs: readonly Blob[] = [];
  private readonly listed: readonly MentionableResource[];
  private readonly open: readonly ResourceTemplate[];

  constructor(listed: readonly MentionableResource[], open: readonly ResourceTemplate[] = []) {
    this.listed = listed;
    this.open = open;
  }

  resources(): readonly MentionableResource[] {
    return this.listed;
  }

  templates(): readonly ResourceTemplate[] {
    return this.open;
  }

  async readResource(server: string, uri: string) {
    this.asked.push(`${server} ${uri}`);
    const text = this.texts.get(uri);
    if (text === undefined) throw new Error(`The server ${server} knows no ${uri}.`);
    return { text, blobs: this.blobs };
  }
}

export function resource(server: string, uri: string, name = '', description = ''): MentionableResource {
  return { server, uri, name, description };
}

export function template(server: string, uriTemplate: string, name = ''): ResourceTemplate {
  return { server, uriTemplate, name, description: '' };
}
