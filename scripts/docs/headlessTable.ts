import { options } from '../../src/extension/headless/options.ts';
import { code } from './markdown.ts';

export function headlessOptionList(): string {
  return Object.entries(options)
    .map(([name, option]) => {
      const long = `--${name}${'takes' in option ? ` ${option.takes}` : ''}`;
      const forms = 'short' in option ? `${code(long)}, ${code(`-${option.short}`)}` : code(long);
      return `- ${forms}: ${option.help}`;
    })
    .join('\n');
}
