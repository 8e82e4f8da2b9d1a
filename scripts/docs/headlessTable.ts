import { options } from '../../src/extension/headless/options.ts';
import { code, markdownTable } from './markdown.ts';

export function headlessOptionTable(): string {
  const rows = Object.entries(options).map(([name, option]) => {
    const long = `--${name}${'takes' in option ? ` ${option.takes}` : ''}`;
    const forms = 'short' in option ? `${code(long)}, ${code(`-${option.short}`)}` : code(long);
    return [forms, option.help];
  });
  return markdownTable(['option', 'what it does'], rows);
}
