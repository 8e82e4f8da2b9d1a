/* Shared by the tools for the browser: which addresses they open, and how a result reads. */

import { type Saying, t } from '../../../protocol/language.ts';
import type { KeptPicture } from '../../../protocol/values.ts';
import { oneLine } from '../../base/text.ts';
import { fence } from '../../base/untrusted.ts';
import type { WorkspacePaths } from '../../core/paths.ts';
import { type CallContext, type CallTarget, ToolFailure, type ToolResult } from '../../core/tool.ts';
import { placeOf } from '../../platform/browser/addresses.ts';
import {
  type Browser,
  BrowserError,
  type PageChanges,
  type Picture,
} from '../../platform/browser/browser.ts';

export interface BrowserPorts {
  /** The one of the session. */
  readonly browser: Browser;
  /** Files for a page pass this gate. */
  readonly paths: Pick<WorkspacePaths, 'resolve'>;
}

/** Most sessions open no page, so the other tools are declared from the first one on. */
export function isInUse(browser: Browser): boolean {
  return browser.isThere() && browser.isUsed;
}

/** The address as the browser gets it. Throws `ToolFailure` for one that no rule can allow. */
export function webAddress(given: string): string {
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(given) ? given : `http://${given}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  if (!url) throw new ToolFailure(`${given} is not an address.`, () => t('No URL'));
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new ToolFailure(
      `Only addresses of http and https are opened, not ${url.protocol} To show a file, serve its folder on this machine.`,
      notOpened,
    );
  if (placeOf(url.hostname) === 'metadata')
    throw new ToolFailure(`${url.hostname} may hold keys of this machine and is never opened.`, notOpened);
  if (url.username !== '' || url.password !== '')
    throw new ToolFailure('An address with a name and password in it is not opened.', notOpened);
  return url.href;
}

const notOpened: Saying = () => t('This address is not opened.');

/** Tells the model what the browser refuses. */
export async function reportedByBrowser<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof BrowserError)) throw error;
    throw new ToolFailure(error.message, () => oneLine(error.message));
  }
}

/** The open page as a call was planned for it. */
export interface PlannedPage {
  readonly address: string;
  /** The tab of the user's that it is; absent: a page of the private browser. */
  readonly tab: string | undefined;
}

/** Throws `ToolFailure` when there is none. */
export function presentPage({ address, sharing }: Browser): PlannedPage {
  if (address === undefined)
    throw new ToolFailure('No page is open. Open one with browser_open.', () => t('No page is open'));
  return { address, tab: sharing.present?.id };
}

/**
 * The target that the policy classifies of work on the page. Absent for the user's own tab: that a host may be read is no permission
 * to act there as they are signed in. A page of this machine is what they build.
 */
export function targetOn({ address, tab }: PlannedPage): CallTarget | undefined {
  if (tab !== undefined && placeOf(new URL(address).hostname) !== 'local') return undefined;
  return { kind: 'urls', urls: [address] };
}

/** A script could read what keeps the user signed in, so it asks in every mode. */
export function mustAsk({ sharing }: Browser): true | undefined {
  return sharing.present && true;
}

/** Says where a call works, as its title. */
export function titleOn({ sharing }: Browser, title: string): string {
  return sharing.present ? t('Your tab: {0}', title) : title;
}

/** Takes a picture of the page for the user alone. `undefined`: the page shows none, or it cannot be kept. */
export async function pictureAfter(browser: Browser, call: CallContext): Promise<KeptPicture | undefined> {
  if (browser.address === undefined) return undefined;
  try {
    const seen = await browser.look({ what: 'picture' }, call.signal);
    return seen.kind === 'picture' ? await keepPicture(seen, browser, call) : undefined;
  } catch (error) {
    // The outcome of the call counts, also when the page is gone since.
    if (error instanceof BrowserError) return undefined;
    throw error;
  }
}

/** Waits while the user has the page. `true`: they had it, and what was planned may no longer fit. */
export async function waitForUser(browser: Browser, { signal, waits }: CallContext): Promise<boolean> {
  if (!browser.isUsers) return false;
  waits?.(true, undefined);
  try {
    return await browser.untilFree(signal);
  } finally {
    waits?.(false, undefined);
  }
}

/** Describes what the user changed, in place of what a call would have done. */
export async function describeUsersWork(browser: Browser, call: CallContext): Promise<ToolResult> {
  const changes = await reportedByBrowser(browser.act([], call.signal));
  const lead = [
    'Nothing was done: the user had the page since this call was made. Decide again from what it shows.',
  ];
  return describeChanges(
    changes,
    lead,
    () => t('You were using the page'),
    await pictureAfter(browser, call),
  );
}

/** A page may leave while the user decides, on its own or by the user's hand. */
export function expectPage(shown: PlannedPage, browser: Browser): void {
  const present = presentPage(browser);
  expectTab(shown.tab, browser);
  if (new URL(shown.address).host === new URL(present.address).host) return;
  throw new ToolFailure(
    'Nothing was done: the page went to another host since this was allowed. Look at it first.',
    () => t('The page is at another host'),
  );
}

/** A call that was allowed in the private browser is not allowed in the user's tab. */
export function expectTab(tab: string | undefined, { sharing }: Browser): void {
  if (tab === sharing.present?.id) return;
  throw new ToolFailure(
    'Nothing was done: the user began or ended to share a tab since this was allowed. Look at the page first.',
    () => t('Another page is open'),
  );
}

export async function keepPicture(
  { data, width, height }: Picture,
  { sharing }: Browser,
  { saveOutput }: CallContext,
): Promise<KeptPicture | undefined> {
  const path = await saveOutput(Buffer.from(data, 'base64'));
  return path === undefined ? undefined : { path, width, height, ofTab: sharing.present && true };
}

/** Names a kept picture, so that the page can be compared with it later. */
export function keptAt(picture: KeptPicture | undefined): readonly string[] {
  return picture ? [`Picture: ${picture.path}`] : [];
}

/** @param lead sentences of ours that come first */
export function describeChanges(
  changes: PageChanges,
  lead: readonly string[],
  summary: Saying,
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
  const text = [...lead, fence('untrusted_content', page), ...keptAt(picture)].join('\n');
  return {
    text,
    bounded: true,
    display: { summary, picture, detail: { kind: 'text', text: [...lead, page].join('\n') } },
  };
}
