/* A server's page, and the policy under which the browser runs it. */

import { t } from '../../../protocol/language.ts';
import { LocalizedError } from '../../base/errors.ts';
import { isRecord } from '../../base/record.ts';
import type { ManagedServer } from '../managedServer.ts';

export interface AppPage {
  readonly html: string;
  /** `connects`: origins that the script may connect to. `loads`: origins of scripts, styles, fonts and pictures. */
  readonly connects: readonly string[];
  readonly loads: readonly string[];
}

/** Characters. */
const maxLength = 5_000_000;
const maxOrigins = 20;

/** Rejects with a user-facing message. */
export async function readAppPage(server: ManagedServer, uri: string, signal: AbortSignal): Promise<AppPage> {
  const { contents } = await server.request('resources/read', { uri }, signal);
  const pages = (Array.isArray(contents) ? contents : [contents]).filter(isRecord);
  const page = pages.find(each => each.uri === uri) ?? pages[0];
  const html = page && textOf(page);
  if (html === undefined || !isHtml(page?.mimeType))
    throw new LocalizedError(() => t('The server {0} returned no page.', server.config.name));
  if (html.length > maxLength)
    throw new LocalizedError(() => t('The page of the server {0} is too large.', server.config.name));
  // Some servers declare the policy only in their list of resources.
  const listed = server.lists.resources.find(each => each.uri === uri)?.ui;
  const { csp } = uiOf(page) ?? listed ?? {};
  const domains = isRecord(csp) ? csp : {};
  return { html, connects: originsIn(domains.connectDomains), loads: originsIn(domains.resourceDomains) };
}

/** Reads the members of an entry that concern pages. */
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

/** A host name with a dot. Excludes this machine, and bare names in the user's network. */
const origin = /^(?:https|wss):\/\/(?:\*\.)?(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*(?::\d{1,5})?$/i;

function originsIn(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  const valid = value.filter(each => typeof each === 'string' && origin.test(each));
  return [...new Set(valid.map(each => String(each).toLowerCase()))].slice(0, maxOrigins);
}

/** Origins of the policy, named as in the protocol. */
export interface AppliedCsp {
  readonly connectDomains: readonly string[];
  readonly resourceDomains: readonly string[];
}

export function appliedCsp({ connects, loads }: Pick<AppPage, 'connects' | 'loads'>): AppliedCsp {
  return { connectDomains: connects, resourceDomains: loads.filter(each => each.startsWith('https:')) };
}

/** Lets the page's own code run, and restricts its connections to these origins. */
export function contentSecurityPolicy(page: Pick<AppPage, 'connects' | 'loads'>): string {
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

/** Moves keyboard focus into and out of the page, because only the page sees keys pressed in it. */
const doors = `<script>addEventListener('keydown',e=>{if(e.key==='Escape')parent.postMessage({jsonrpc:'2.0',method:'folio/leave'},'*')});addEventListener('message',({source,data})=>{if(source!==parent||data?.method!=='folio/enter')return;const root=document.documentElement,first=document.querySelector('a[href],button,input,select,textarea,[tabindex]')||root;if(first===root)root.tabIndex=-1;first.focus({preventScroll:true})})</script>`;

/** Inserts the script after the doctype, because without a leading doctype the browser uses quirks mode. */
export function pageDocument({ html }: Pick<AppPage, 'html'>): string {
  const [type = ''] = /^\s*<!doctype[^>]*>/i.exec(html) ?? [];
  return `${type || '<!doctype html>'}${doors}${html.slice(type.length)}`;
}
