/* Sets the language of the page. Must be imported first. */

import { setLanguage } from '../../protocol/language.ts';

/** Language data, written by `panelHtml`. */
const words = document.getElementById('root')?.dataset.words;
if (words) setLanguage({ tag: document.documentElement.lang, catalog: JSON.parse(words) });
