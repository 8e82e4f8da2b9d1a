/* Imported before everything else, so that nothing on the page is said before it has its language. */

import { setLanguage } from '../../protocol/language.ts';

/** As `panelHtml` writes it. */
const words = document.getElementById('root')?.dataset.words;
if (words) setLanguage({ tag: document.documentElement.lang, catalog: JSON.parse(words) });
