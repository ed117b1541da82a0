/** Whether this server sells or gives away plans; it says so in the page itself, and in the copy a phone keeps. */
export const hasPlans = (): boolean => document.documentElement.dataset['plans'] !== 'none'
