/** The sections of a rondo: the theme comes first, and again after each episode. */
export function rondoForm(theme, episodes) {
  const sections = [theme];
  for (let index = 0; index < episodes.length - 1; index++) {
    sections.push(episodes[index], theme);
  }
  return sections;
}
