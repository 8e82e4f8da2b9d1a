/* Shared by the browser tools: allowed addresses, and the text of results. */

import { type LocalizedMessage, t } from '../../../protocol/language.ts';
import type { KeptPicture } from '../../../protocol/values.ts';
import { oneLine } from '../../base/text.ts';
import { wrapUntrusted } from '../../base/untrusted.ts';
import type { WorkspacePaths } from '../../core/paths.ts';
import { type CallContext, type CallTarget, ToolFailure, type ToolResult } from '../../core/tool.ts';
import { classifyHost } from '../../platform/browser/addresses.ts';
import {
  type Browser,
  BrowserError,
  type PageChanges,
  type Screenshot,
} from '../../platform/browser/browser.ts';

export interface BrowserPorts {
  readonly browser: Browser;
  readonly paths: Pick<WorkspacePaths, 'resolve'>;
}

/** Returns whether a page was opened. Most sessions open none, so the other page tools are declared only then. */
export function isBrowserInUse(browser: Browser): boolean {
  return browser.isAvailable() && browser.isUsed;
}

/** Returns the normalized address. Throws `ToolFailure` if no rule could allow it. */
export function parseWebAddress(given: string): string {
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(given) ? given : `http://${given}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  if (!url) throw new ToolFailure(`${given} is not an address.`, () => t('No URL'));
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new ToolFailure(
      `Only addresses of http and https are opened, not ${url.protocol} To show a file, serve its folder on this machine.`,
      notOpened,
    );
  if (classifyHost(url.hostname) === 'metadata')
    throw new ToolFailure(`${url.hostname} may hold keys of this machine and is never opened.`, notOpened);
  if (url.username !== '' || url.password !== '')
    throw new ToolFailure('An address with a name and password in it is not opened.', notOpened);
  return url.href;
}

const notOpened: LocalizedMessage = () => t('This address is not opened.');

/** Turns errors of the browser into failures for the model. */
export async function convertBrowserErrors<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof BrowserError)) throw error;
    throw new ToolFailure(error.message, () => oneLine(error.message));
  }
}

export interface PlannedPage {
  readonly address: string;
  /** Id of the user's tab; absent for a page of the private browser. */
  readonly tab: string | undefined;
}

/** Throws `ToolFailure` if no page is open. */
export function requireOpenPage({ address, sharing }: Browser): PlannedPage {
  if (address === undefined)
    throw new ToolFailure('No page is open. Open one with browser_open.', () => t('No page is open'));
  return { address, tab: sharing.present?.id };
}

/**
 * Returns the target that the policy checks for actions on a page. `undefined` for the user's own tab, where they may
 * be signed in: permission to read a host does not cover that. A local page there is still a target, since the user is
 * building it.
 */
export function pageTarget({ address, tab }: PlannedPage): CallTarget | undefined {
  if (tab !== undefined && classifyHost(new URL(address).hostname) !== 'local') return undefined;
  return { kind: 'urls', urls: [address] };
}

/** Scripts could read the user's session cookies, so they ask in every mode. */
export function asksOnSharedTab({ sharing }: Browser): true | undefined {
  return sharing.present && true;
}

export function titleWithTab({ sharing }: Browser, title: string): string {
  return sharing.present ? t('Your tab: {0}', title) : title;
}

/** Takes a picture of the page for the user only. `undefined` if the page has none, or it cannot be saved. */
export async function takePagePicture(browser: Browser, call: CallContext): Promise<KeptPicture | undefined> {
  if (browser.address === undefined) return undefined;
  try {
    const seen = await browser.inspect({ what: 'picture' }, call.signal);
    return seen.kind === 'picture' ? await savePagePicture(seen, browser, call) : undefined;
  } catch (error) {
    // The call's outcome stands, even if the page is gone.
    if (error instanceof BrowserError) return undefined;
    throw error;
  }
}

/** Waits while the user controls the page. `true` if they did, so that the plan may be outdated. */
export async function waitForUser(browser: Browser, { signal, waits }: CallContext): Promise<boolean> {
  if (!browser.isUserControlled) return false;
  waits?.(true, undefined);
  try {
    return await browser.untilFree(signal);
  } finally {
    waits?.(false, undefined);
  }
}

/** Describes what the user changed, instead of taking the planned steps. */
export async function describeUserChanges(browser: Browser, call: CallContext): Promise<ToolResult> {
  const changes = await convertBrowserErrors(browser.act([], call.signal));
  const lead = [
    'Nothing was done: the user had the page since this call was made. Decide again from what it shows.',
  ];
  return describeChanges(
    changes,
    lead,
    () => t('You were using the page'),
    await takePagePicture(browser, call),
  );
}

/** The page may have navigated while the user decided, on its own or by the user. */
export function requireSamePage(shown: PlannedPage, browser: Browser): void {
  const present = requireOpenPage(browser);
  requireSameTab(shown.tab, browser);
  if (new URL(shown.address).host === new URL(present.address).host) return;
  throw new ToolFailure(
    'Nothing was done: the page went to another host since this was allowed. Look at it first.',
    () => t('The page is at another host'),
  );
}

/** Permission in the private browser does not cover the user's tab. */
export function requireSameTab(tab: string | undefined, { sharing }: Browser): void {
  if (tab === sharing.present?.id) return;
  throw new ToolFailure(
    'Nothing was done: the user began or ended to share a tab since this was allowed. Look at the page first.',
    () => t('Another page is open'),
  );
}

export async function savePagePicture(
  { data, width, height }: Screenshot,
  { sharing }: Browser,
  { saveOutput }: CallContext,
): Promise<KeptPicture | undefined> {
  const path = await saveOutput(Buffer.from(data, 'base64'));
  return path === undefined ? undefined : { path, width, height, ofTab: sharing.present && true };
}

/** Names a saved picture, for later comparison. */
export function describeSavedPicture(picture: KeptPicture | undefined): readonly string[] {
  return picture ? [`Picture: ${picture.path}`] : [];
}

/** @param lead sentences to begin with */
export function describeChanges(
  changes: PageChanges,
  lead: readonly string[],
  summary: LocalizedMessage,
  picture?: KeptPicture,
): ToolResult {
  const { address, title, isNew, consoleErrors, failedRequests, notices, outline } = changes;
  const section = (heading: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`${heading}:`, ...lines];
  const page = [
    `Page: ${oneLine(title, 200)} (${oneLine(address, 500)})`,
    ...section('Notices', notices),
    ...section('New console errors', consoleErrors),
    ...section('New failed requests', failedRequests),
    ...(outline === ''
      ? ['The outline did not change.']
      : [isNew ? 'Outline:' : 'Changes of the outline:', outline]),
  ].join('\n');
  const text = [...lead, wrapUntrusted('untrusted_content', page), ...describeSavedPicture(picture)].join(
    '\n',
  );
  return {
    text,
    bounded: true,
    display: { summary, picture, detail: { kind: 'text', text: [...lead, page].join('\n') } },
  };
}
