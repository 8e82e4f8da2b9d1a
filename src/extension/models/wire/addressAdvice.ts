import { t } from '../../../protocol/language.ts';
/** How the addresses of a service look. */
export interface AddressForm {
  /** The setting that holds it. */
  readonly setting: string;
  /** The environment variable that counts where the setting is empty. */
  readonly variable: string;
  /** The common end of most of them; empty: there is none. */
  readonly ending: '' | '/v1';
  /** Matches what belongs to requests, and so not into the setting. */
  readonly excess: RegExp;
}

/**
 * Advice about an address at which nobody speaks the service's protocol: a sentence without its full stop.
 * @param address as it was set; empty: the service's own
 */
export function addressAdvice({ setting, ending, excess }: AddressForm, address: string): string {
  const plain = address.replace(excess, '');
  if (plain !== address) return t('Correct the setting {0}, which needs no more than {1}', setting, plain);
  const isShort = ending !== '' && address !== '' && !/\/v\d/.test(address);
  if (isShort)
    return t(
      'Check the setting {0}; most addresses end in {1}, as in {2}',
      setting,
      ending,
      address + ending,
    );
  return t('Check the setting {0}', setting);
}
