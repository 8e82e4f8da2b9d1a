import { t } from '../../../../protocol/language.ts';
import { codeSpan } from '../../export/markdownText.ts';
import type { AboutFacts } from '../commands.ts';

/** As Markdown. */
export function describeAbout(facts: AboutFacts): string {
  const { version, host, system, provider, model, trusted } = facts;
  const rows: readonly (readonly [string, string])[] = [
    ['Folio', version],
    [t('Model'), codeSpan(model || t('none'))],
    [t('Provider'), provider],
    [t('Sandbox'), t('none; commands run as you, and the rules in force say which may')],
    [t('Workspace'), trusted ? t('trusted') : t('restricted')],
    [t('Runs in'), host],
    [t('System'), system],
  ];
  return [`# ${t('About Folio')}`, '', ...rows.map(([name, value]) => `- ${name}: ${value}`), ''].join('\n');
}
