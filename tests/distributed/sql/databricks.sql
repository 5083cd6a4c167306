SELECT
  *
FROM (
  SELECT
    `t3`.`unit`,
    `t3`.`g0`,
    `t3`.`g1`,
    `t3`.`g2`,
    `t3`.`g3`,
    COUNT(*) AS `rows`,
    MIN(`t3`.`a0`) AS `a0`,
    MAX(`t3`.`a1`) AS `a1`,
    COALESCE(SUM(`t3`.`a2`), 0) AS `a2`,
    COALESCE(SUM(`t3`.`a3`), 0) AS `a3`,
    COALESCE(SUM(`t3`.`a4`), 0) AS `a4`,
    MIN(`t3`.`a5`) AS `a5`,
    MAX(`t3`.`a6`) AS `a6`,
    COALESCE(SUM(`t3`.`a7`), 0) AS `a7`,
    COALESCE(SUM(`t3`.`a8`), 0) AS `a8`,
    COALESCE(SUM(`t3`.`a9`), 0) AS `a9`,
    COALESCE(SUM(`t3`.`a10`), 0) AS `a10`,
    COALESCE(SUM(`t3`.`a11`), 0) AS `a11`,
    COALESCE(SUM(`t3`.`a12`), 0) AS `a12`
  FROM (
    SELECT
      `t2`.`unit`,
      `t2`.`k0` AS `g0`,
      CASE
        WHEN NOT (
          `t2`.`v0` IS NULL OR ISNAN(`t2`.`v0`)
        )
        THEN `t2`.`c0s` + TRY_DIVIDE(
          CAST(FLOOR((
            `t2`.`v0` - `t2`.`c0s`
          ) * (
            `t2`.`c0w` * 1.0
          )) AS BIGINT),
          `t2`.`c0w` * 1.0
        )
        ELSE NULL
      END AS `g1`,
      CAST(CASE
        WHEN NOT (
          `t2`.`v0` IS NULL OR ISNAN(`t2`.`v0`)
        )
        THEN CASE WHEN `t2`.`v0` >= 0.5 THEN 1 ELSE 0 END
        ELSE NULL
      END AS BIGINT) AS `g2`,
      CAST(CASE
        WHEN `t2`.`y` < `t2`.`low0`
        THEN 1
        ELSE CASE WHEN `t2`.`y` > `t2`.`up0` THEN 2 ELSE 0 END
      END + CASE WHEN `t2`.`low0` < -1.7E+308 THEN 4 ELSE 0 END + CASE WHEN `t2`.`up0` > 1.7e+308 THEN 8 ELSE 0 END AS BIGINT) AS `g3`,
      `t2`.`v0` AS `a0`,
      `t2`.`v0` AS `a1`,
      CAST(FLOOR(
        CASE
          WHEN NOT (
            `t2`.`v0` IS NULL OR ISNAN(`t2`.`v0`)
          )
          THEN `t2`.`v0`
          ELSE 0.0
        END * 1.0 * 67108864.0
      ) AS BIGINT) AS `a2`,
      CAST(FLOOR(
        (
          (
            CASE
              WHEN NOT (
                `t2`.`v0` IS NULL OR ISNAN(`t2`.`v0`)
              )
              THEN `t2`.`v0`
              ELSE 0.0
            END * 1.0 * 67108864.0
          ) - CAST(FLOOR(
            CASE
              WHEN NOT (
                `t2`.`v0` IS NULL OR ISNAN(`t2`.`v0`)
              )
              THEN `t2`.`v0`
              ELSE 0.0
            END * 1.0 * 67108864.0
          ) AS BIGINT)
        ) * 67108864.0
      ) AS BIGINT) AS `a3`,
      CAST(FLOOR(
        (
          (
            (
              (
                (
                  CASE
                    WHEN NOT (
                      `t2`.`v0` IS NULL OR ISNAN(`t2`.`v0`)
                    )
                    THEN `t2`.`v0`
                    ELSE 0.0
                  END * 1.0 * 67108864.0
                ) - CAST(FLOOR(
                  CASE
                    WHEN NOT (
                      `t2`.`v0` IS NULL OR ISNAN(`t2`.`v0`)
                    )
                    THEN `t2`.`v0`
                    ELSE 0.0
                  END * 1.0 * 67108864.0
                ) AS BIGINT)
              ) * 67108864.0
            ) - CAST(FLOOR(
              (
                (
                  CASE
                    WHEN NOT (
                      `t2`.`v0` IS NULL OR ISNAN(`t2`.`v0`)
                    )
                    THEN `t2`.`v0`
                    ELSE 0.0
                  END * 1.0 * 67108864.0
                ) - CAST(FLOOR(
                  CASE
                    WHEN NOT (
                      `t2`.`v0` IS NULL OR ISNAN(`t2`.`v0`)
                    )
                    THEN `t2`.`v0`
                    ELSE 0.0
                  END * 1.0 * 67108864.0
                ) AS BIGINT)
              ) * 67108864.0
            ) AS BIGINT)
          ) * 67108864.0
        ) + 0.5
      ) AS BIGINT) AS `a4`,
      `t2`.`y` AS `a5`,
      `t2`.`y` AS `a6`,
      CAST(FLOOR(
        CASE
          WHEN NOT (
            (
              `t2`.`low0` < -1.7E+308
            ) OR (
              `t2`.`up0` > 1.7e+308
            )
          )
          THEN `t2`.`up0` - `t2`.`low0`
          ELSE 0.0
        END * 1.0 * 67108864.0
      ) AS BIGINT) AS `a7`,
      CAST(FLOOR(
        (
          (
            CASE
              WHEN NOT (
                (
                  `t2`.`low0` < -1.7E+308
                ) OR (
                  `t2`.`up0` > 1.7e+308
                )
              )
              THEN `t2`.`up0` - `t2`.`low0`
              ELSE 0.0
            END * 1.0 * 67108864.0
          ) - CAST(FLOOR(
            CASE
              WHEN NOT (
                (
                  `t2`.`low0` < -1.7E+308
                ) OR (
                  `t2`.`up0` > 1.7e+308
                )
              )
              THEN `t2`.`up0` - `t2`.`low0`
              ELSE 0.0
            END * 1.0 * 67108864.0
          ) AS BIGINT)
        ) * 67108864.0
      ) AS BIGINT) AS `a8`,
      CAST(FLOOR(
        (
          (
            (
              (
                (
                  CASE
                    WHEN NOT (
                      (
                        `t2`.`low0` < -1.7E+308
                      ) OR (
                        `t2`.`up0` > 1.7e+308
                      )
                    )
                    THEN `t2`.`up0` - `t2`.`low0`
                    ELSE 0.0
                  END * 1.0 * 67108864.0
                ) - CAST(FLOOR(
                  CASE
                    WHEN NOT (
                      (
                        `t2`.`low0` < -1.7E+308
                      ) OR (
                        `t2`.`up0` > 1.7e+308
                      )
                    )
                    THEN `t2`.`up0` - `t2`.`low0`
                    ELSE 0.0
                  END * 1.0 * 67108864.0
                ) AS BIGINT)
              ) * 67108864.0
            ) - CAST(FLOOR(
              (
                (
                  CASE
                    WHEN NOT (
                      (
                        `t2`.`low0` < -1.7E+308
                      ) OR (
                        `t2`.`up0` > 1.7e+308
                      )
                    )
                    THEN `t2`.`up0` - `t2`.`low0`
                    ELSE 0.0
                  END * 1.0 * 67108864.0
                ) - CAST(FLOOR(
                  CASE
                    WHEN NOT (
                      (
                        `t2`.`low0` < -1.7E+308
                      ) OR (
                        `t2`.`up0` > 1.7e+308
                      )
                    )
                    THEN `t2`.`up0` - `t2`.`low0`
                    ELSE 0.0
                  END * 1.0 * 67108864.0
                ) AS BIGINT)
              ) * 67108864.0
            ) AS BIGINT)
          ) * 67108864.0
        ) + 0.5
      ) AS BIGINT) AS `a9`,
      CAST(FLOOR(
        CASE
          WHEN `t2`.`y` < `t2`.`low0`
          THEN `t2`.`low0` - `t2`.`y`
          ELSE CASE WHEN `t2`.`y` > `t2`.`up0` THEN `t2`.`y` - `t2`.`up0` ELSE 0.0 END
        END * 1.0 * 67108864.0
      ) AS BIGINT) AS `a10`,
      CAST(FLOOR(
        (
          (
            CASE
              WHEN `t2`.`y` < `t2`.`low0`
              THEN `t2`.`low0` - `t2`.`y`
              ELSE CASE WHEN `t2`.`y` > `t2`.`up0` THEN `t2`.`y` - `t2`.`up0` ELSE 0.0 END
            END * 1.0 * 67108864.0
          ) - CAST(FLOOR(
            CASE
              WHEN `t2`.`y` < `t2`.`low0`
              THEN `t2`.`low0` - `t2`.`y`
              ELSE CASE WHEN `t2`.`y` > `t2`.`up0` THEN `t2`.`y` - `t2`.`up0` ELSE 0.0 END
            END * 1.0 * 67108864.0
          ) AS BIGINT)
        ) * 67108864.0
      ) AS BIGINT) AS `a11`,
      CAST(FLOOR(
        (
          (
            (
              (
                (
                  CASE
                    WHEN `t2`.`y` < `t2`.`low0`
                    THEN `t2`.`low0` - `t2`.`y`
                    ELSE CASE WHEN `t2`.`y` > `t2`.`up0` THEN `t2`.`y` - `t2`.`up0` ELSE 0.0 END
                  END * 1.0 * 67108864.0
                ) - CAST(FLOOR(
                  CASE
                    WHEN `t2`.`y` < `t2`.`low0`
                    THEN `t2`.`low0` - `t2`.`y`
                    ELSE CASE WHEN `t2`.`y` > `t2`.`up0` THEN `t2`.`y` - `t2`.`up0` ELSE 0.0 END
                  END * 1.0 * 67108864.0
                ) AS BIGINT)
              ) * 67108864.0
            ) - CAST(FLOOR(
              (
                (
                  CASE
                    WHEN `t2`.`y` < `t2`.`low0`
                    THEN `t2`.`low0` - `t2`.`y`
                    ELSE CASE WHEN `t2`.`y` > `t2`.`up0` THEN `t2`.`y` - `t2`.`up0` ELSE 0.0 END
                  END * 1.0 * 67108864.0
                ) - CAST(FLOOR(
                  CASE
                    WHEN `t2`.`y` < `t2`.`low0`
                    THEN `t2`.`low0` - `t2`.`y`
                    ELSE CASE WHEN `t2`.`y` > `t2`.`up0` THEN `t2`.`y` - `t2`.`up0` ELSE 0.0 END
                  END * 1.0 * 67108864.0
                ) AS BIGINT)
              ) * 67108864.0
            ) AS BIGINT)
          ) * 67108864.0
        ) + 0.5
      ) AS BIGINT) AS `a12`
    FROM (
      SELECT
        `t1`.`unit`,
        `t1`.`k0`,
        `t1`.`v0`,
        `t1`.`y`,
        `t1`.`low0`,
        `t1`.`up0`,
        CASE WHEN `t1`.`v0` >= 0.75 THEN 0.75 ELSE 0.25 END AS `c0s`,
        CASE WHEN `t1`.`v0` >= 0.75 THEN 1024.0 ELSE 1024.0 END AS `c0w`
      FROM (
        SELECT
          `t0`.`pid` AS `unit`,
          `t0`.`y` AS `k0`,
          CASE
            WHEN NOT (
              IF(`t0`.`p` IS NULL OR ISNAN(`t0`.`p`), NULL, ISNAN(`t0`.`p`))
            )
            THEN `t0`.`p`
            ELSE NULL
          END AS `v0`,
          CASE
            WHEN NOT (
              IF(`t0`.`t` IS NULL OR ISNAN(`t0`.`t`), NULL, ISNAN(`t0`.`t`))
            )
            THEN `t0`.`t`
            ELSE NULL
          END AS `y`,
          CASE
            WHEN NOT (
              IF(`t0`.`low` IS NULL OR ISNAN(`t0`.`low`), NULL, ISNAN(`t0`.`low`))
            )
            THEN `t0`.`low`
            ELSE NULL
          END AS `low0`,
          CASE
            WHEN NOT (
              IF(`t0`.`up` IS NULL OR ISNAN(`t0`.`up`), NULL, ISNAN(`t0`.`up`))
            )
            THEN `t0`.`up`
            ELSE NULL
          END AS `up0`
        FROM `predictions` AS `t0`
      ) AS `t1`
    ) AS `t2`
  ) AS `t3`
  GROUP BY
    1,
    2,
    3,
    4,
    5
) AS `t4`
