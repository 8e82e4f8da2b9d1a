/* A page of a server, and the policy under which a browser runs it. */

import { t } from '../../../protocol/language.ts';
import { SpokenError } from '../../base/errors.ts';
import { isRecord } from '../../base/record.ts';
import type { Server } from '../server.ts';

export interface AppPage {
  readonly html: string;
  /** Origins that its script wants to connect to, and that its scripts, styles, fonts and pictures come from. */
  readonly connects: readonly string[];
  readonly loads: readonly string[];
}

/** Characters. */
const maxLength = 5_000_000;
const maxOrigins = 20;

/** Rejects with a sentence. */
export async function readAppPage(server: Server, uri: string, signal: AbortSignal): Promise<AppPage> {
  const { contents } = await server.request('resources/read', { uri }, signal);
  const pages = (Array.isArray(contents) ? contents : [contents]).filter(isRecord);
  const page = pages.find(each => each.uri === uri) ?? pages[0];
  const html = page && textOf(page);
  if (html === undefined || !isHtml(page?.mimeType))
    throw new SpokenError(() => t('The server {0} returned no page.', server.config.name));
  if (html.length > maxLength)
    throw new SpokenError(() => t('The page of the server {0} is too large.', server.config.name));
  // Some servers say it where they list the page, and not with the page itself.
  const listed = server.lists.resources.find(each => each.uri === uri)?.ui;
  const { csp } = uiOf(page) ?? listed ?? {};
  const domains = isRecord(csp) ? csp : {};
  return { html, connects: originsIn(domains.connectDomains), loads: originsIn(domains.resourceDomains) };
}

/** Reads the members of an entry that are about pages. */
function uiOf(entry: Readonly<Record<string, unknown>> | undefined) {
  const meta = entry?._meta;
  return isRecord(meta) && isRecord(meta.ui) ? meta.ui : undefined;
}

function isHtml(type: unknown): boolean {
  return typeof type === 'string' && /^text\/html\b/i.test(type);
}

function textOf({ text, blob }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof text === 'string') return text;
  return typeof blob === 'string' ? Buffer.from(blob, 'base64').toString() : undefined;
}

/** A name with a dot: neither this machine nor, by a bare name, one of the user's own network. */
const origin = /^(?:https|wss):\/\/(?:\*\.)?(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*(?::\d{1,5})?$/i;

function originsIn(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  const valid = value.filter(each => typeof each === 'string' && origin.test(each));
  return [...new Set(valid.map(each => String(each).toLowerCase()))].slice(0, maxOrigins);
}

/** Origins of the policy, in the words of the protocol. */
export interface AppliedCsp {
  readonly connectDomains: readonly string[];
  readonly resourceDomains: readonly string[];
}

export function appliedCsp({ connects, loads }: Pick<AppPage, 'connects' | 'loads'>): AppliedCsp {
  return { connectDomains: connects, resourceDomains: loads.filter(each => each.startsWith('https:')) };
}

/** The page's own code runs, and nothing leaves it but to these origins. */
export function policyOf(page: Pick<AppPage, 'connects' | 'loads'>): string {
  const { connectDomains: connects, resourceDomains } = appliedCsp(page);
  const from = resourceDomains.join(' ');
  return [
    "default-src 'none'",
    `script-src 'unsafe-inline' ${from}`,
    `style-src 'unsafe-inline' ${from}`,
    `img-src data: blob: ${from}`,
    `media-src data: blob: ${from}`,
    `font-src data: ${from}`,
    `connect-src ${connects.join(' ') || "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
    'sandbox allow-scripts',
  ]
    .map(each => each.trim())
    .join('; ');
}

/** Lets users of the keyboard in and out: keys in a page are seen by the page alone. */
const doors = `<script>addEventListener('keydown',e=>{if(e.key==='Escape')parent.postMessage({jsonrpc:'2.0',method:'folio/leave'},'*')});addEventListener('message',({source,data})=>{if(source!==parent||data?.method!=='folio/enter')return;const root=document.documentElement,first=document.querySelector('a[href],button,input,select,textarea,[tabindex]')||root;if(first===root)root.tabIndex=-1;first.focus({preventScroll:true})})</script>`;

/** The script stands behind the declaration of the type, without which the page would be drawn as one of 1998. */
export function documentOf({ html }: Pick<AppPage, 'html'>): string {
  const [type = ''] = /^\s*<!doctype[^>]*>/i.exec(html) ?? [];
  return `${type || '<!doctype html>'}${doors}${html.slice(type.length)}`;
}
