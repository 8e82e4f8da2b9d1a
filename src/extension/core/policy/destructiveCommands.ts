import type { SubCommand } from '../../shell/classify/analysis.ts';

/**
 * Detects commands that ask even in the mode that allows everything: they erase a disk, the home folder or the system,
 * or halt the machine, irreversibly.
 * @param home absolute; the analysis substitutes it for `~`
 */
export function isDestructive(command: SubCommand, home: string): boolean {
  const [first, ...rest] = command.words;
  const name = first?.kind === 'plain' ? (first.value.split('/').at(-1) ?? '') : '';
  const words = rest.map(word => (word.kind === 'unknown' ? word.text.replace(/["']/g, '') : word.value));
  if (/^(?:mkfs(?:\..+)?|mke2fs|wipefs|fdisk|sfdisk|parted|blkdiscard)$/.test(name)) return true;
  if (name === 'dd') return words.some(word => isDisk(word.replace(/^of=/, '')) && word.startsWith('of='));
  if (name === 'shred' || name === 'tee' || name === 'cp') return words.some(isDisk);
  if (isForkBomb(command.text)) return true;
  if (command.text.startsWith('>')) return command.paths.some(({ text }) => isDisk(text));
  const isAll = (word: string) =>
    everything.test(word.startsWith(home) ? `~${word.slice(home.length)}` : word);
  const isWhole = words.some(isAll);
  if (name === 'rm') return isWhole && words.some(isRecursive);
  if (name === 'chmod' || name === 'chown') return isWhole && words.some(isRecursive);
  if (name === 'find') return isAll(words[0] ?? '') && words.includes('-delete');
  return (
    /^(?:format-volume|clear-disk)$/i.test(name) || (isWhole && /^(?:remove-item|ri|del|rd)$/i.test(name))
  );
}

/** The root, the home folder, and their direct children. */
const everything =
  /^(?:\/+|~|\$\{?HOME\}?|\/(?:bin|boot|dev|etc|home|lib|opt|root|sbin|usr|var|users|system|library)|[a-z]:[\\/]?)(?:[\\/]+\.?\*{0,2})?$|^\/\*$/i;

function isRecursive(word: string): boolean {
  return /^-[a-z]*r|^--recursive$/i.test(word);
}

function isDisk(word: string): boolean {
  return /^\/dev\/(?!null|zero|tty|stdout|stderr|stdin|u?random|fd\/|shm\/|pts\/)/.test(word);
}

/** Matches `:(){ :|:& };:` under any name. */
function isForkBomb(text: string): boolean {
  return /^([\w:.]+)\(\)\{\1\|\1&\}?;?\}?/.test(text.replace(/\s/g, ''));
}
