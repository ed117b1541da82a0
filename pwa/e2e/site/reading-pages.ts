/** Pages that only want to be read, articles apart: where they are and what they are called. */
export const readingPages = [
  ['/how-it-works', 'How It Works'],
  ['/resources', 'Resources'],
  ['/features', 'Features'],
  ['/faq', 'Frequently Asked Questions'],
  ['/about', 'About'],
  ['/blog', 'Blog'],
  ['/contact', 'Contact'],
  ['/privacy', 'Privacy'],
  ['/terms', 'Terms'],
] as const
