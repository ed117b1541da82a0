/** Whether this server has plans; its page says so, also in a phone's copy. */
export const hasPlans = (): boolean => document.documentElement.dataset['plans'] !== 'none'
