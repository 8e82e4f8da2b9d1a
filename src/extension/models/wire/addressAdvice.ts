import { t } from '../../../protocol/language.ts';
export interface ExpectedAddress {
  /** The setting that holds the address. */
  readonly setting: string;
  /** The environment variable used when the setting is empty. */
  readonly variable: string;
  /** The usual suffix. Empty if there is none. */
  readonly ending: '' | '/v1';
  /** Matches request paths, which do not belong in the setting. */
  readonly excess: RegExp;
}

/** Addresses given by command-line options, each with the option's name. */
const givenByOption = new Map<string, string>();

/** Makes later errors about this address name the option. */
export function noteAddressOption(address: string, option: string): void {
  givenByOption.set(plain(address), option);
}

/**
 * Names the source of the address, within a sentence. An option wins over the setting, the setting over the variable.
 * @param address as configured; empty for the service's own
 */
export function describeAddressSource(
  { setting, variable }: Pick<ExpectedAddress, 'setting' | 'variable'>,
  address: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const option = givenByOption.get(plain(address));
  if (option !== undefined) return t('the option {0}', option);
  return address !== '' && plain(env[variable] ?? '') === plain(address)
    ? t('the variable {0}', variable)
    : t('the setting {0}', setting);
}

function plain(address: string): string {
  return address.trim().replace(/\/+$/, '');
}

/**
 * Advice for an address that does not serve the expected protocol: a sentence without its full stop.
 * @param address as configured; empty for the service's own
 */
export function addressAdvice(form: ExpectedAddress, address: string): string {
  const { ending, excess } = form;
  const origin = describeAddressSource(form, address);
  const shorter = address.replace(excess, '');
  if (shorter !== address) return t('Correct {0}, which needs no more than {1}', origin, shorter);
  const isShort = ending !== '' && address !== '' && !/\/v\d/.test(address);
  if (isShort) return t('Check {0}; most addresses end in {1}, as in {2}', origin, ending, address + ending);
  return t('Check {0}', origin);
}
